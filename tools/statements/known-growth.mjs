// @ts-check

/**
 * Statements whose cost may grow with the tables that they read, each with the reason.
 *
 * @type {readonly { part: RegExp, reason: string }[]}
 */
export const KNOWN_GROWTH = [
  {
    part: /FROM agents r WHERE .* r\.content_tags @> /,
    reason: 'agents with a tag, which people make: 1,000 for each tag at a million agents',
  },
  {
    part: /^UPDATE event_deliveries SET .* FROM event_deliveries d JOIN events e /s,
    reason: 'a replay, which an admin asks for: the deliveries of one webhook in 30 days at most',
  },
];
