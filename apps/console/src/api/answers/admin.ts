/** Generated from docs/openapi/admin.json by `npm run openapi`: do not edit. */
export interface AdminAnswers {
  getJwks: AdminAnswers['Jwks'];
  getSigningKeys: AdminAnswers['SigningKeys'];
  getInstallation: AdminAnswers['Installation'];
  register: AdminAnswers['RegisterAnswer'];
  getDashboard: AdminAnswers['Dashboard'];
  getDashboardUsage: AdminAnswers['DashboardUsage'];
  getAreaHealth: AdminAnswers['AreaHealth'];
  listActivity: AdminAnswers['ActivityList'];
  getAddresses: AdminAnswers['Addresses'];
  getMe: AdminAnswers['Me'];
  updateMe: AdminAnswers['UpdateMeAnswer'];
  listSecurityActivity: AdminAnswers['SecurityActivityList'];
  listSessions: AdminAnswers['SessionList'];
  revokeOtherSessions: AdminAnswers['RevokeOtherSessionsAnswer'];
  startStepUp: AdminAnswers['CreatedStepUp'];
  finishStepUp: AdminAnswers['FinishStepUpAnswer'];
  listPasskeys: AdminAnswers['PasskeyList'];
  renamePasskey: AdminAnswers['Passkey'];
  listScopes: AdminAnswers['ScopeList'];
  listKeys: AdminAnswers['KeyList'];
  createKey: AdminAnswers['CreatedKey'];
  rotateKey: AdminAnswers['CreatedKey'];
  listClients: AdminAnswers['ClientList'];
  createClient: AdminAnswers['CreatedClient'];
  updateClient: AdminAnswers['Client'];
  rotateClient: AdminAnswers['CreatedClient'];
  listApplications: AdminAnswers['ApplicationList'];
  listDecisions: AdminAnswers['DecisionList'];
  listAuditActions: AdminAnswers['AuditActionList'];
  getChain: AdminAnswers['Chain'];
  verifyChain: AdminAnswers['Chain'];
  getDecision: AdminAnswers['Decision'];
  listJobs: AdminAnswers['JobList'];
  runJob: AdminAnswers['RunJobAnswer'];
  listEnterprises: AdminAnswers['EnterpriseList'];
  createProject: AdminAnswers['Project'];
  getEnterprise: AdminAnswers['Enterprise'];
  renameProject: AdminAnswers['Project'];
  listProjects: AdminAnswers['ProjectList'];
  listQuotas: AdminAnswers['QuotaList'];
  getInternalReport: AdminAnswers['InternalReport'];
  getDailyUsage: AdminAnswers['DailyUsage'];
  getToolUsage: AdminAnswers['ToolUsage'];
  redeemDeviceCode: AdminAnswers['RedeemDeviceCodeAnswer'];
  createDeviceNonce: AdminAnswers['CreatedDeviceNonce'];
  mintGatewayToken: AdminAnswers['MintGatewayTokenAnswer'];
  listDevices: AdminAnswers['DeviceList'];
  createDeviceCode: AdminAnswers['CreatedDeviceCode'];
  listUsers: AdminAnswers['UserList'];
  createUser: AdminAnswers['CreatedUser'];
  getUser: AdminAnswers['User'];
  updateUser: AdminAnswers['UserSummary'];
  changeUserEmail: AdminAnswers['UserSummary'];
  disableUser: AdminAnswers['UserSummary'];
  enableUser: AdminAnswers['UserSummary'];
  revokeUserCredentials: AdminAnswers['RevokeUserCredentialsAnswer'];
  listUserPasskeys: AdminAnswers['UserPasskeyList'];
  listUserIdentities: AdminAnswers['UserIdentityList'];
  createSetupToken: AdminAnswers['CreatedSetupToken'];
  decideConsent: AdminAnswers['DecideConsentAnswer'];
  listConsents: AdminAnswers['ConsentList'];
  listPlatformAdminRequests: AdminAnswers['PlatformAdminRequestList'];
  requestPlatformAdmin: AdminAnswers['PlatformAdminRequest'];
  endSsoSessions: AdminAnswers['EndSsoSessionsAnswer'];
  Jwks: {
    keys: {
      [key: string]: unknown;
    }[];
  };
  SigningKeys: {
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
  Installation: {
    base_url: string;
    runtime_url: string;
    prompt_api_url: string;
    docs_url: string;
  };
  RegisterAnswer: {
    email: string;
    setup_token: string | null;
    setup_url: string | null;
  };
  Dashboard: {
    project: string | null;
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
  DashboardUsage: {
    period: '24h' | '7d' | '30d' | '90d';
    project: string | null;
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
  AreaHealth: {
    items: {
      area: 'platform' | 'runtime' | 'prompt';
      state: 'answers' | 'silent' | 'off';
      ms: number | null;
    }[];
  };
  ActivityList: {
    items: AdminAnswers['Decision'][];
  };
  Decision: {
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
  Addresses: {
    base_url: string;
    runtime_url: string;
    prompt_api_url: string;
  };
  Me: {
    user_id: string;
    username: string;
    email: string;
    roles: string[];
    project: string;
    is_admin: boolean;
    fresh_until: string | null;
  };
  UpdateMeAnswer: {
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
  SecurityActivityList: {
    items: AdminAnswers['SecurityActivity'][];
  };
  SecurityActivity: {
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
  };
  SessionList: {
    items: AdminAnswers['Session'][];
  };
  Session: {
    id: string;
    method: string;
    ip: string;
    user_agent: string;
    created_at: string;
    last_seen_at: string;
    current: boolean;
  };
  RevokeOtherSessionsAnswer: {
    revoked: number;
  };
  CreatedStepUp: {
    [key: string]: unknown;
  };
  FinishStepUpAnswer: {
    fresh_until: string;
  };
  PasskeyList: {
    items: AdminAnswers['Passkey'][];
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
  Passkey: {
    id: string;
    name: string;
    created_at: string;
    last_used_at: string | null;
    device_type: string;
    backed_up: boolean;
  };
  ScopeList: {
    items: AdminAnswers['Scope'][];
  };
  Scope: {
    scope: string;
    description: string;
    keys_only: boolean;
  };
  KeyList: {
    items: AdminAnswers['Key'][];
  };
  Key: {
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
  };
  CreatedKey: {
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
  ClientList: {
    items: AdminAnswers['Client'][];
  };
  Client: {
    client_id: string;
    name: string;
    redirect_uris: string[];
    scopes: string[];
    mcp_tools: string[];
    project: string;
    created_at: string;
    expires_at: string | null;
    last_used_at: string | null;
    revoked_at: string | null;
  };
  CreatedClient: {
    client_id: string;
    name: string;
    redirect_uris: string[];
    scopes: string[];
    mcp_tools: string[];
    project: string;
    created_at: string;
    expires_at: string | null;
    last_used_at: string | null;
    revoked_at: string | null;
    client_secret: string;
  };
  ApplicationList: {
    items: AdminAnswers['Application'][];
    total: number;
    page: number;
    per_page: number;
  };
  Application: {
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
    made_by_key: boolean;
    created_at: string;
    last_used_at: string | null;
    approved_at: string | null;
    approved_by: string | null;
  };
  DecisionList: {
    items: AdminAnswers['Decision'][];
    total: number;
    page: number;
    per_page: number;
  };
  AuditActionList: {
    items: string[];
  };
  Chain: {
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
    verifying: {
      verified: number;
      seals: number;
      since: string;
    } | null;
    removed: {
      rows: number;
      sealed_through: string;
    } | null;
  };
  JobList: {
    items: AdminAnswers['Job'][];
  };
  Job: {
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
  };
  RunJobAnswer: {
    name: string;
    tick: string;
  };
  EnterpriseList: {
    items: AdminAnswers['EnterpriseSummary'][];
  };
  EnterpriseSummary: {
    project: string;
    name?: string;
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
  };
  Project: {
    id: string;
    name: string;
  };
  Enterprise: {
    project: string;
    name?: string;
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
  ProjectList: {
    items: AdminAnswers['Project'][];
    open: boolean;
  };
  QuotaList: {
    items: AdminAnswers['Quota'][];
  };
  Quota: {
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
  };
  InternalReport: {
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
    row_count: number;
    totals: {
      requests: number;
      tokens_in: number;
      tokens_out: number;
      cost_usd: number | null;
      unpriced_events: number;
    };
    by_model: {
      name: string | null;
      count: number;
      tokens_in: number;
      tokens_out: number;
    }[];
    by_user: {
      name: string | null;
      count: number;
      tokens_in: number;
      tokens_out: number;
    }[];
    by_project: {
      name: string | null;
      count: number;
      tokens_in: number;
      tokens_out: number;
    }[];
    unpriced_models: string[];
  };
  DailyUsage: {
    project: string | null;
    by: 'model' | 'agent' | 'prompt' | 'user' | 'key' | 'project';
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
  ToolUsage: {
    project: string | null;
    days: string[];
    rows: {
      tool: string;
      server: {
        id: string;
        name: string | null;
      };
      calls: number;
      failed: number;
    }[];
    series: {
      tool: string | null;
      server_id: string | null;
      points: {
        calls: number;
        failed: number;
      }[];
    }[];
    totals: {
      calls: number;
      failed: number;
    };
  };
  RedeemDeviceCodeAnswer: {
    pat: string;
    device_certificate: string;
    expires_at: string;
  };
  CreatedDeviceNonce: {
    nonce: string;
    expires_at: string;
  };
  MintGatewayTokenAnswer: {
    access_token: string;
    token_type: 'Bearer';
    expires_in: number;
  };
  DeviceList: {
    items: AdminAnswers['Device'][];
  };
  Device: {
    id: string;
    device_name: string;
    created_at: string;
    last_used_at: string | null;
    expires_at: string;
    revoked_at: string | null;
  };
  CreatedDeviceCode: {
    code: string;
    expires_at: string;
  };
  UserList: {
    items: AdminAnswers['UserSummary'][];
    total: number;
    page: number;
    per_page: number;
  };
  UserSummary: {
    id: string;
    name: string;
    email: string;
    role: 'user' | 'project_admin' | 'auditor' | 'admin';
    platform_admin: boolean;
    project: string;
    status: 'active' | 'inactive';
    self_registered: boolean;
    passkeys: number;
    created_at: string;
    updated_at: string;
    last_seen_at: string | null;
    deleted_at: string | null;
  };
  CreatedUser: {
    id: string;
    name: string;
    email: string;
    role: 'user' | 'project_admin' | 'auditor' | 'admin';
    platform_admin: boolean;
    project: string;
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
  User: {
    id: string;
    name: string;
    email: string;
    role: 'user' | 'project_admin' | 'auditor' | 'admin';
    platform_admin: boolean;
    project: string;
    status: 'active' | 'inactive';
    self_registered: boolean;
    passkeys: number;
    created_at: string;
    updated_at: string;
    last_seen_at: string | null;
    deleted_at: string | null;
    sessions: AdminAnswers['Session'][];
    keys: AdminAnswers['Key'][];
    clients: {
      client_id: string;
      name: string;
      redirect_uris: string[];
      scopes: string[];
      project: string;
      created_at: string;
      expires_at: string | null;
      last_used_at: string | null;
      revoked_at: string | null;
    }[];
    devices: AdminAnswers['Device'][];
    consents: AdminAnswers['Consent'][];
  };
  Consent: {
    id: string;
    client_name: string;
    client_id: string;
    client_host: string | null;
    scopes: string[];
    granted_at: string;
  };
  RevokeUserCredentialsAnswer: {
    revoked: {
      [key: string]: number;
    };
  };
  UserPasskeyList: {
    items: AdminAnswers['Passkey'][];
  };
  UserIdentityList: {
    items: AdminAnswers['UserIdentity'][];
  };
  UserIdentity: {
    id: string;
    issuer: string;
    subject: string;
    created_at: string;
    last_used_at: string;
  };
  CreatedSetupToken: {
    setup_url: string;
    expires_at: string;
  };
  DecideConsentAnswer: {
    location: string;
  };
  ConsentList: {
    items: AdminAnswers['Consent'][];
  };
  PlatformAdminRequestList: {
    enabled: boolean;
    items: AdminAnswers['PlatformAdminRequest'][];
  };
  PlatformAdminRequest: {
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
  EndSsoSessionsAnswer: Record<string, never>;
}
