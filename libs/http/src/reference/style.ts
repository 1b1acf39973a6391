/** The only style sheet of the reference. The policy of the page contains its hash. */
export const STYLE = `
  :root { color-scheme: light dark; --ink: #1c2430; --soft: #566070; --line: #d9dee5; --ground: #f6f7f9; --card: #fff; --accent: #0b57c2;
    --get: #0b57c2; --post: #146c37; --put: #8a4b00; --patch: #6b3fa0; --delete: #b3261e; }
  @media (prefers-color-scheme: dark) { :root { --ink: #e8ecf2; --soft: #a3aebc; --line: #313a46; --ground: #12161c; --card: #1a2029; --accent: #74b0ff;
    --get: #74b0ff; --post: #6fd193; --put: #f0b060; --patch: #c3a1f0; --delete: #ff8d85; } }
  * { box-sizing: border-box; }
  html { scroll-padding-top: 1rem; }
  body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
  a { color: var(--accent); } :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
  code, pre { font: .9em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; overflow-wrap: anywhere; }
  .skip { position: absolute; left: -100vw; } .skip:focus { left: 1rem; top: 1rem; padding: .5rem; background: var(--card); }
  .page { display: grid; grid-template-columns: minmax(0, 1fr); max-width: 78rem; margin: 0 auto; padding: 1rem; gap: 1.5rem; }
  main { min-width: 0; } h1 { margin: 0 0 .25rem; font-size: 1.6rem; line-height: 1.25; }
  h2 { margin: 2.5rem 0 .75rem; font-size: 1.3rem; } h3 { margin: 0; font-size: 1.1rem; } h4 { margin: 1.25rem 0 .35rem; font-size: .95rem; }
  p { margin: .5rem 0; } .soft { color: var(--soft); } ul.plain { margin: 0; padding: 0; list-style: none; }
  nav { font-size: .925rem; } nav h2 { margin: 1rem 0 .25rem; font-size: .95rem; }
  nav li a { display: grid; grid-template-columns: 3.5rem 1fr; gap: .5rem; align-items: baseline; padding: .2rem .4rem; border-radius: 6px; color: inherit; text-decoration: none; }
  nav li a:hover { background: var(--card); text-decoration: underline; }
  .card h2 { margin: 0 0 .5rem; font-size: 1.1rem; } article, .card { margin: 0 0 1rem; padding: 1.1rem 1.25rem; background: var(--card); border: 1px solid var(--line); border-radius: 12px; }
  article:target { border-color: var(--accent); box-shadow: 0 0 0 1px var(--accent); }
  h3 a { color: inherit; text-decoration: none; } h3 a:hover { text-decoration: underline; }
  .call { margin: .35rem 0; } .method { font: 700 .78rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
  .GET { color: var(--get); } .POST { color: var(--post); } .PUT { color: var(--put); } .PATCH { color: var(--patch); } .DELETE { color: var(--delete); }
  .facts { display: flex; flex-wrap: wrap; gap: .1rem 1.25rem; margin: .35rem 0 0; font-size: .9rem; } .facts div { display: flex; gap: .4rem; }
  .facts dt { color: var(--soft); } .facts dd { margin: 0; overflow-wrap: anywhere; }
  .fields { margin: 0; border-top: 1px solid var(--line); font-size: .925rem; }
  .fields > div { display: grid; grid-template-columns: minmax(0, 1fr); padding: .4rem 0; border-bottom: 1px solid var(--line); }
  .fields dt { overflow-wrap: anywhere; } .fields dd { margin: 0; color: var(--soft); overflow-wrap: anywhere; } .fields b { font-weight: 600; color: var(--ink); }
  .required { color: var(--delete); font-size: .85rem; white-space: nowrap; }
  details.more { margin: .35rem 0 0; } details.more > summary { cursor: pointer; color: var(--accent); font-size: .925rem; }
  details.more > .fields { margin-top: .35rem; }
  pre { margin: .35rem 0 0; padding: .75rem 1rem; overflow-x: auto; white-space: pre-wrap; background: var(--ground); border: 1px solid var(--line); border-radius: 8px; }
  @media (min-width: 44rem) { .fields > div { grid-template-columns: minmax(11rem, 18rem) minmax(0, 1fr); gap: 1rem; } }
  @media (min-width: 64rem) { .page { grid-template-columns: 19rem minmax(0, 1fr); gap: 2.5rem; padding: 1.5rem; }
    nav { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto; padding: .25rem 0 2rem; } }
  @media print { nav { display: none; } article { break-inside: avoid; } }`;
