// @ts-check

/**
 * Statements whose cost may grow with the tables that they read, each with the reason why the growth is limited or accepted. `byIndex`: tables
 * that the statement must read by an index only.
 *
 * @type {readonly { part: RegExp, reason: string, byIndex?: readonly string[] }[]}
 */
export const KNOWN_GROWTH = [
  {
    part: /^\s*SELECT (p\.)?id\b[^()]* FROM projects\b/,
    reason: 'the projects of an installation: 50 at most, and those that were deleted',
  },
  {
    part: /^UPDATE "public"\."(device_link_codes|devices|oauth_clients|user_api_keys)" SET "revoked_at" = \$1 WHERE \(.*"project" = \$2/s,
    reason: 'the credentials that admins left in a project without members, which a platform admin deletes',
  },
  {
    part: /FROM oauth_clients r WHERE .* NOT EXISTS \(SELECT FROM users .*LIMIT \$\d+ OFFSET/s,
    reason: 'a search for unverified applications ranks what it finds: 10,000 at most',
  },
  {
    part: /FROM agents r WHERE .* r\.content_tags @> /s,
    reason: 'agents with a tag, which people make: 1,000 for each tag at a million agents',
  },
  {
    part: /^\s*UPDATE event_deliveries SET .* FROM event_deliveries d JOIN events e /s,
    reason: 'a replay, which an admin asks for: the deliveries of one webhook in 30 days at most',
  },
  {
    part: /FROM budget_waits t JOIN runs r /,
    reason: 'the room of a budget is given out over all runs that wait for it: 1,000 of a user at most',
  },
  {
    part: /FROM connection_waits t JOIN runs r /,
    reason: 'the runs that wait for accounts of users, each compared with its connection: 1,000 of a user at most',
  },
  {
    part: /(to_tsquery\('content_stems'|WITH words AS MATERIALIZED)/,
    reason: 'a search ranks what it finds: 10,000 records at most',
    byIndex: ['content_items', 'passages'],
  },
  {
    part: /FROM (usage_(subject_|key_|tool_)?days|metric_counts)\s+WHERE .*\bday\b/s,
    reason: 'sums of days within a period of 366 days at most',
  },
  {
    part: /FROM metric_hours\s+WHERE .*\bhour >= \$\d+ AND hour < \$\d+/s,
    reason: 'sums of hours within two days',
  },
  {
    part: /FROM usage_events WHERE project = ANY\(\$3\) AND at >= .* AND at < /s,
    reason: 'the usage of the last two days, which the dashboard adds up by the hour',
  },
  {
    part: /FROM mcp_tools t JOIN mcp_servers s .* WHERE s\.pin_tools .* LIMIT 20$/s,
    reason: 'tools of pinned servers that differ from what was approved, which people approve',
  },
  {
    part: /WITH own AS \(\s+SELECT .* FROM governance_decisions\s+WHERE user_id = \$1 .* LIMIT 5000\s+\)/s,
    reason: 'the latest 5,000 audit rows of an account',
  },
  {
    // This matches statements with any combination of filters. With a single filter, an index finds the rows.
    part: /FROM "public"\."governance_decisions" WHERE \(.*\) ORDER BY "public"\."governance_decisions"\."(at|seq)" DESC/s,
    reason: 'two filters of the audit log look at all rows of one of them, by its index',
  },
  {
    part: /FROM "public"\."governance_decisions" WHERE .*"seq" > \$\d+ AND \S+"seq" <= \$\d+.* ORDER BY \S+"seq" ASC LIMIT/s,
    reason: 'an export with filters reads the rows of one seal',
  },
  {
    part: /\(SELECT FROM (users|oauth_clients|user_api_keys) \w .* LIMIT 10000\) counted/s,
    reason: 'counts up to 10,000 rows',
  },
  {
    part: /FROM users r WHERE .*(ILIKE|coalesce\(r\.delegated_role, r\.role\) = ).*\) page JOIN users r USING/s,
    reason: 'a full page of accounts by search or role, each with 100 passkeys and 200 sessions at most',
  },
  {
    part: /FROM "public"\."(passkeys|oauth_consents|sso_identities|user_api_keys)" WHERE \(?"public"\."\1"\."user_id" = /,
    reason: 'what one account made, linked or allowed',
  },
  {
    part: /FROM "public"\."scim_members" WHERE "public"\."scim_members"\."group_id" IN /,
    reason: 'the members of the groups of a page, 2,000 per group at most',
  },
  {
    part: /GROUP BY i\.source ORDER BY i\.source/,
    reason: 'the sources of the content of a project, which its quota bounds',
  },
  {
    part: /SELECT COUNT\(\*\) AS "_count\$_all" FROM \(SELECT "public"\."(users|passkeys|prompts)"\."(id|\w+)" /,
    reason: 'records that people make, of which an admin or a test counts all',
  },
  {
    part: /FROM \(SELECT r\.\* FROM runs r WHERE /,
    reason: 'filters of runs look at the latest 10,000 of a project, user or agent',
  },
  {
    part: /FROM mcp_servers s .* s\.auth ->> 'type' = 'user'|auth ->> 'type' = 'agent_token'/s,
    reason: 'servers and plugins of a project with a kind of credential, which people make',
  },
  {
    part: /FROM mcp_servers s WHERE s\.project = \$1 AND s\.status = \$2 AND s\.transport = \$3/,
    reason: 'the MCP servers of a project, which people make',
  },
  {
    part: /^\s*UPDATE "public"\."oauth_grants" SET "revoked_at"/,
    reason: 'the grants of a user to one client, which end after 90 days',
  },
  {
    part: /WITH RECURSIVE callers \(id\)/,
    reason: 'the agents that call an agent, directly or through others',
  },
  {
    part: /SELECT id FROM users WHERE platform_admin AND status = 'active'/,
    reason: 'platform admins, who are few among all accounts',
  },
  {
    // This matches any combination of a list's filters, because the random requests of the fuzz tests have other combinations in each run.
    part: /SELECT count\(\*\) AS n FROM (files|file_knowledge|content_items|prompts|conversations) r WHERE .*\bproject = /,
    reason: 'the files, content, prompts or conversations of a project, which its quota bounds',
  },
  {
    part: /SELECT count\(\*\) AS n FROM (agents|skills|plugins|blocks|artifacts|models|triggers|webhooks|budgets|mcp_servers|knowledge_sources) [rs] /,
    reason: 'the records of a project that people make',
  },
  {
    part: /^\s*SELECT \S+ AS id, .* AS detail FROM .* ILIKE .* LIMIT 50$/s,
    reason: 'names for a choice in a form, which people make',
  },
  {
    part: /FROM contexts r WHERE r\.user_id = /,
    reason: 'the conversations of a user with one agent',
  },
  {
    part: /FROM conversations r WHERE .* r\.tags @> /s,
    reason: 'conversations with a tag, found by an index of tags',
  },
  {
    part: /FROM trigger_firings\s+WHERE trigger_id = \$1 AND number < \$2 AND state = /,
    reason: 'the firings of one trigger, which end after 30 days',
  },
  {
    part: /^\s*UPDATE "public"\."user_sessions" SET "revoked_at"/,
    reason: 'the sessions of a user that were not ended, of which 20 are live',
  },
  {
    part: /FROM (user_sessions s|"public"\."user_sessions") .*user_id"? = .*revoked_at"? IS NULL AND .*expires_at"? > /s,
    reason: 'the live sessions of a user, of which there are 20',
  },
  {
    part: /position\(lower\(\$\d+\) IN lower\(s\.slug/,
    reason: 'servers of a project by a part of their names, which people make',
  },
];

/**
 * Returns whether the growth of a statement is known. It is not known if the plan reads all rows of a table in `byIndex`, because the cost then grows
 * for another reason.
 *
 * @param {{ statement: string, plan: string }} growing
 */
export function isKnownGrowth({ statement, plan }) {
  const known = KNOWN_GROWTH.find(({ part }) => part.test(statement));
  return known !== undefined && !(known.byIndex ?? []).some((table) => readsAll(plan, table));
}

/** @param {string} plan @param {string} table */
const readsAll = (plan, table) =>
  plan
    .split('\n')
    .some(
      (line) => new RegExp(`^ *(Seq|Index|Index Only) Scan ${table} `).test(line) && !line.includes('index condition'),
    );
