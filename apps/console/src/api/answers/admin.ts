/** Generated from docs/openapi/admin.json by `npm run openapi`: do not edit. */
export interface AdminAnswers {
  getJwks: {
    keys: {
      [key: string]: unknown;
    }[];
  };
  getSigningKeys: {
    items: {
      kid: string;
      issuer: string;
      created_at: string;
      active_at: string | null;
      retired_at: string | null;
      revoked_at: string | null;
      current: boolean;
    }[];
  };
  register: {
    email: string;
    setup_token: string | null;
    setup_url: string | null;
  };
  getDashboard: {
    project: ('Core' | 'Commerce') | null;
    records: {
      users: number;
      skills: number;
      agents: number;
      prompts: number;
    };
    registration_open: boolean;
    quarantined: {
      server_id: string;
      name: string;
      project: string;
      tools: number;
    }[];
    expiring_keys: {
      id: string;
      name: string;
      project: string;
      expires_at: string;
      owner: {
        id: string;
        name: string;
      };
    }[];
  };
  getDashboardUsage: {
    period: '24h' | '7d' | '30d' | '90d';
    project: ('Core' | 'Commerce') | null;
    interval: 'hour' | 'day';
    times: string[];
    figures: {
      requests: {
        value: number | null;
        before: number | null;
        points: (number | null)[];
      };
      errors: {
        value: number | null;
        before: number | null;
        points: (number | null)[];
      };
      latency_p95_ms: {
        value: number | null;
        before: number | null;
        points: (number | null)[];
      };
      agent_messages: {
        value: number | null;
        before: number | null;
        points: (number | null)[];
      };
      tokens: {
        value: number | null;
        before: number | null;
        points: (number | null)[];
      };
      cost_usd: {
        value: number | null;
        before: number | null;
        points: (number | null)[];
      };
      active_users: {
        value: number | null;
        before: number | null;
        points: (number | null)[];
      };
    };
    unpriced_tokens: number;
    busiest: {
      agents: {
        id: string;
        name: string | null;
        project: string;
        uses: number;
        tokens: number;
        cost_usd: number | null;
      }[];
      skills: {
        id: string;
        name: string | null;
        project: string;
        uses: number;
        tokens: number;
        cost_usd: number | null;
      }[];
      prompts: {
        id: string;
        name: string | null;
        project: string;
        uses: number;
        tokens: number;
        cost_usd: number | null;
      }[];
    };
  };
  getAreaHealth: {
    items: {
      area: 'platform' | 'runtime' | 'prompt';
      state: 'answers' | 'silent' | 'off';
      ms: number | null;
    }[];
  };
  listActivity: {
    items: AdminAnswers['getDecision'][];
  };
  getAddresses: {
    base_url: string;
    runtime_url: string;
    prompt_api_url: string;
  };
  getMe: {
    user_id: string;
    username: string;
    email: string;
    roles: string[];
    project: string;
    is_admin: boolean;
    fresh_until: string | null;
  };
  updateMe: {
    user_id: string;
    username: string;
    email: string;
    roles: string[];
    project: string;
    is_admin: boolean;
    fresh_until: string | null;
    signals: (
      | {
          signalName: 'allAcceptedCredentials';
          rpID: string;
          userID: string;
          allAcceptedCredentialIDs: string[];
        }
      | {
          signalName: 'currentUserDetails';
          rpID: string;
          userID: string;
          userName: string;
          userDisplayName: string;
        }
    )[];
  };
  listSecurityActivity: {
    items: {
      id: string;
      at: string;
      event:
        | 'passkey_added'
        | 'passkey_removed'
        | 'device_linked'
        | 'token_created'
        | 'identity_linked'
        | 'recovery_used'
        | 'email_changed'
        | 'setup_link_created'
        | 'credentials_revoked'
        | 'role_changed'
        | 'session_limit_reached'
        | 'identity_unlinked';
      by: 'you' | 'administrator';
      ip: string | null;
    }[];
  };
  listSessions: {
    items: {
      id: string;
      method: string;
      ip: string;
      user_agent: string;
      created_at: string;
      last_seen_at: string;
      current: boolean;
    }[];
  };
  revokeOtherSessions: {
    revoked: number;
  };
  startStepUp: {
    [key: string]: unknown;
  };
  finishStepUp: {
    fresh_until: string;
  };
  listPasskeys: {
    items: AdminAnswers['renamePasskey'][];
    signals: (
      | {
          signalName: 'allAcceptedCredentials';
          rpID: string;
          userID: string;
          allAcceptedCredentialIDs: string[];
        }
      | {
          signalName: 'currentUserDetails';
          rpID: string;
          userID: string;
          userName: string;
          userDisplayName: string;
        }
    )[];
  };
  renamePasskey: {
    id: string;
    name: string;
    created_at: string;
    last_used_at: string | null;
    device_type: string;
    backed_up: boolean;
  };
  listScopes: {
    items: {
      scope: string;
      description: string;
    }[];
  };
  listKeys: {
    items: {
      id: string;
      kind: 'api_key' | 'pat';
      name: string;
      prefix: string;
      scopes: string[];
      plan: string;
      project: string;
      created_at: string;
      expires_at: string | null;
      last_used_at: string | null;
      revoked_at: string | null;
      successor_id: string | null;
    }[];
  };
  createKey: {
    id: string;
    kind: 'api_key' | 'pat';
    name: string;
    prefix: string;
    scopes: string[];
    plan: string;
    project: string;
    created_at: string;
    expires_at: string | null;
    last_used_at: string | null;
    revoked_at: string | null;
    successor_id: string | null;
    key: string;
  };
  rotateKey: AdminAnswers['createKey'];
  listClients: {
    items: AdminAnswers['updateClient'][];
  };
  createClient: {
    client_id: string;
    name: string;
    redirect_uris: string[];
    scopes: string[];
    mcp_tools: string[];
    project: string;
    created_at: string;
    last_used_at: string | null;
    revoked_at: string | null;
    client_secret: string;
  };
  updateClient: {
    client_id: string;
    name: string;
    redirect_uris: string[];
    scopes: string[];
    mcp_tools: string[];
    project: string;
    created_at: string;
    last_used_at: string | null;
    revoked_at: string | null;
  };
  rotateClient: AdminAnswers['createClient'];
  listApplications: {
    items: {
      id: string;
      client_id: string;
      name: string;
      kind: 'settings' | 'registered' | 'document';
      owner: {
        id: string;
        name: string;
        email: string;
        role: string;
      } | null;
      project: string | null;
      redirect_uris: string[];
      scopes: string[];
      created_at: string;
      last_used_at: string | null;
      approved_at: string | null;
      approved_by: string | null;
    }[];
    total: number;
    page: number;
    per_page: number;
  };
  listDecisions: {
    items: AdminAnswers['getDecision'][];
    total: number;
    page: number;
    per_page: number;
  };
  listAuditActions: {
    items: string[];
  };
  getChain: {
    sealed_through: string | null;
    batches: number;
    unsealed: number;
    last_sealed_at: string | null;
    verified: 'ok' | 'broken' | 'unchecked';
    verified_at: string | null;
    verified_with: ('pinned' | 'database') | null;
    faults: {
      kind: string;
      row: string | null;
      seal: number | null;
      reason: string;
    }[];
    removed: {
      rows: number;
      sealed_through: string;
    } | null;
  };
  verifyChain: AdminAnswers['getChain'];
  getDecision: {
    id: string;
    at: string;
    user: {
      id: string;
      name: string;
      email: string;
    };
    actor_kind: string;
    actor_id: string;
    action: string;
    resource: string;
    project: string | null;
    decision: string;
    reason: string | null;
    request_id: string | null;
    ip: string | null;
    detail: unknown;
    resource_name: string | null;
  };
  listJobs: {
    items: {
      name: string;
      extension: string;
      owner: string;
      schedule: string;
      enabled: boolean;
      next_run_at: string | null;
      last_run: {
        started_at: string | null;
        finished_at: string | null;
        outcome: ('succeeded' | 'failed' | 'refused') | null;
        detail: {
          [key: string]: unknown;
        };
        tick: string;
        origin: 'schedule' | 'manual';
      } | null;
      runs: {
        started_at: string | null;
        finished_at: string | null;
        outcome: ('succeeded' | 'failed' | 'refused') | null;
        detail: {
          [key: string]: unknown;
        };
        tick: string;
        origin: 'schedule' | 'manual';
      }[];
    }[];
  };
  runJob: {
    name: string;
    tick: string;
  };
  listEnterprises: {
    items: {
      project: 'Core' | 'Commerce';
      members: number;
      admins: number;
      agents: number;
      skills: number;
      keys: number;
      clients: number;
      usage_30d: {
        requests: number;
        agent_messages: number;
        model_tokens: number;
        model_cost_usd: number | null;
        unpriced_events: number;
      };
    }[];
  };
  getEnterprise: {
    project: 'Core' | 'Commerce';
    members: number;
    admins: number;
    agents: number;
    skills: number;
    keys: number;
    clients: number;
    usage_30d: {
      requests: number;
      agent_messages: number;
      model_tokens: number;
      model_cost_usd: number | null;
      unpriced_events: number;
    };
    member_list: {
      id: string;
      name: string;
      email: string;
      role: 'user' | 'project_admin' | 'auditor' | 'admin';
      platform_admin: boolean;
      status: string;
    }[];
  };
  listQuotas: {
    items: {
      project: string;
      kind: 'content' | 'files' | 'prompts' | 'conversations' | 'contexts';
      used: {
        rows: number;
        bytes: number;
      };
      limit: {
        rows: number;
        bytes: number;
      };
      share: number;
      own: boolean;
      refused_at: string | null;
    }[];
  };
  getInternalReport: {
    month: string;
    rows: {
      project: string;
      user: {
        id: string;
        name: string;
        email: string;
      };
      model: string;
      requests: number;
      tokens_in: number;
      tokens_out: number;
      cost_usd: number | null;
      unpriced_events: number;
    }[];
    totals: {
      requests: number;
      tokens_in: number;
      tokens_out: number;
      cost_usd: number | null;
      unpriced_events: number;
    };
  };
  getDailyUsage: {
    project: ('Core' | 'Commerce') | null;
    by: 'model' | 'agent' | 'prompt' | 'user' | 'project';
    days: string[];
    rows: {
      requests: number;
      tokens_in: number;
      tokens_out: number;
      cost_usd: number | null;
      is_cost_complete: boolean;
      id: string;
      name: string | null;
    }[];
    series: {
      id: string | null;
      points: {
        requests: number;
        tokens_in: number;
        tokens_out: number;
        cost_usd: number | null;
      }[];
    }[];
    totals: {
      requests: number;
      tokens_in: number;
      tokens_out: number;
      cost_usd: number | null;
      is_cost_complete: boolean;
    };
  };
  redeemDeviceCode: {
    pat: string;
    device_certificate: string;
    expires_at: string;
  };
  createDeviceNonce: {
    nonce: string;
    expires_at: string;
  };
  mintGatewayToken: {
    access_token: string;
    token_type: 'Bearer';
    expires_in: number;
  };
  listDevices: {
    items: {
      id: string;
      device_name: string;
      created_at: string;
      last_used_at: string | null;
      expires_at: string;
      revoked_at: string | null;
    }[];
  };
  createDeviceCode: {
    code: string;
    expires_at: string;
  };
  listUsers: {
    items: AdminAnswers['updateUser'][];
    total: number;
    page: number;
    per_page: number;
  };
  createUser: {
    id: string;
    name: string;
    email: string;
    role: 'user' | 'project_admin' | 'auditor' | 'admin';
    platform_admin: boolean;
    project: 'Core' | 'Commerce';
    status: 'active' | 'inactive';
    self_registered: boolean;
    passkeys: number;
    created_at: string;
    updated_at: string;
    last_seen_at: string | null;
    deleted_at: string | null;
    setup_url: string;
    setup_expires_at: string;
  };
  getUser: {
    id: string;
    name: string;
    email: string;
    role: 'user' | 'project_admin' | 'auditor' | 'admin';
    platform_admin: boolean;
    project: 'Core' | 'Commerce';
    status: 'active' | 'inactive';
    self_registered: boolean;
    passkeys: number;
    created_at: string;
    updated_at: string;
    last_seen_at: string | null;
    deleted_at: string | null;
    sessions: {
      id: string;
      method: string;
      ip: string;
      user_agent: string;
      created_at: string;
      last_seen_at: string;
      current: boolean;
    }[];
    keys: {
      id: string;
      kind: 'api_key' | 'pat';
      name: string;
      prefix: string;
      scopes: string[];
      plan: string;
      project: string;
      created_at: string;
      expires_at: string | null;
      last_used_at: string | null;
      revoked_at: string | null;
      successor_id: string | null;
    }[];
    clients: {
      client_id: string;
      name: string;
      redirect_uris: string[];
      scopes: string[];
      project: string;
      created_at: string;
      last_used_at: string | null;
      revoked_at: string | null;
    }[];
    devices: {
      id: string;
      device_name: string;
      created_at: string;
      last_used_at: string | null;
      expires_at: string;
      revoked_at: string | null;
    }[];
    consents: {
      id: string;
      client_name: string;
      client_id: string;
      client_host: string | null;
      scopes: string[];
      granted_at: string;
    }[];
  };
  updateUser: {
    id: string;
    name: string;
    email: string;
    role: 'user' | 'project_admin' | 'auditor' | 'admin';
    platform_admin: boolean;
    project: 'Core' | 'Commerce';
    status: 'active' | 'inactive';
    self_registered: boolean;
    passkeys: number;
    created_at: string;
    updated_at: string;
    last_seen_at: string | null;
    deleted_at: string | null;
  };
  changeUserEmail: AdminAnswers['updateUser'];
  disableUser: AdminAnswers['updateUser'];
  enableUser: AdminAnswers['updateUser'];
  revokeUserCredentials: {
    revoked: {
      [key: string]: number;
    };
  };
  listUserPasskeys: {
    items: AdminAnswers['renamePasskey'][];
  };
  listUserIdentities: {
    items: {
      id: string;
      issuer: string;
      subject: string;
      created_at: string;
      last_used_at: string;
    }[];
  };
  createSetupToken: {
    setup_url: string;
    expires_at: string;
  };
  decideConsent: {
    location: string;
  };
  listConsents: {
    items: {
      id: string;
      client_name: string;
      client_id: string;
      client_host: string | null;
      scopes: string[];
      granted_at: string;
    }[];
  };
  listPlatformAdminRequests: {
    enabled: boolean;
    items: AdminAnswers['requestPlatformAdmin'][];
  };
  requestPlatformAdmin: {
    id: string;
    user: {
      id: string;
      name: string;
      email: string;
    };
    requested_by: {
      id: string;
      name: string;
      email: string;
    };
    created_at: string;
    expires_at: string;
  };
  Error: {
    error: {
      code: string;
      message: string;
      status: number;
    };
  };
}
