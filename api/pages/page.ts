import { createHash } from 'node:crypto';

const style = `
:root { color-scheme: light dark; --line: #8884; --soft: #8881; --accent: #2a6fdb; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 60rem; padding: 2rem 1rem 6rem; font: 1rem/1.55 system-ui, sans-serif; }
h1 { font-size: 1.6rem; } h2 { margin-top: 3rem; border-bottom: 1px solid var(--line); padding-bottom: .3rem; }
h3 { margin: 2rem 0 .3rem; font-size: 1.05rem; } a { color: var(--accent); }
code, pre { font: .875rem/1.5 ui-monospace, monospace; } pre { background: var(--soft); padding: .8rem; overflow: auto; border-radius: .3rem; }
table { border-collapse: collapse; width: 100%; } td, th { text-align: left; vertical-align: top; padding: .3rem .8rem .3rem 0; border-bottom: 1px solid var(--line); }
.method { display: inline-block; min-width: 4.2rem; font-weight: 700; color: var(--accent); }
summary { cursor: pointer; } nav ul { padding-left: 1.2rem; }
`;

/** The headers of a page: nothing but its own style, which the policy knows by its hash. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'Cache-Control': 'no-cache',
};

/** Text that stands for itself in HTML, in attributes too. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** A whole page. `body` is HTML. */
export function renderPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)}</title><style>${style}</style></head>
<body>${body}</body>
</html>
`;
}
