import { commandsOf, type Skeleton } from './commands.js';

const shell = (...lines: readonly string[]): string => ['```sh', ...lines, '```'].join('\n');

/** How to run a new plugin. */
export function readmeOf({ id, language, kind }: Skeleton): string {
  const { install, start, endpoint } = commandsOf(language, kind);
  const what = kind === 'http' ? 'an HTTP worker' : 'a Temporal activity worker';
  const where = language === 'python' ? '`run` in `worker.py`' : '`plugin.ts`';
  const address =
    kind === 'http' ? '' : ' `TEMPORAL_ADDRESS` and `TEMPORAL_NAMESPACE` say where Temporal is.';
  const sections = [
    `# ${id}`,
    `A plugin for Knowledge Warehouse: ${what}. What it does is in ${where}.`,
    shell(...(install === null ? [] : [install]), start),
    `It registers itself as the plugin \`${id}\`, and a pipeline can name it. Where a service runs on this machine, set \`KW_DATA_DIR\` to its data directory (\`.kw\`) and no more. Elsewhere, \`KW_URL\` is the service's URL and \`KW_API_KEY\` a key of the scope \`plugin:${id}\`.${address}`,
    ...(endpoint === null ? [] : trial(start, `npx kw plugins check ${endpoint}`)),
  ];
  return `${sections.join('\n\n')}\n`;
}

/** How an HTTP worker is tried without a service. */
function trial(start: string, check: string): string[] {
  return [
    'The secret that its messages are signed with is kept in `.kw-secrets`. `HOST` and `PORT` say where it listens, `KW_ENDPOINT` at which URL the service reaches it. To try it without a service, against every rule of the protocol (in Python, call `kw` from the checkout of the service):',
    shell('export KW_SIGNING_SECRET=whsec_$(openssl rand -base64 32)', `${start} &`, check),
  ];
}
