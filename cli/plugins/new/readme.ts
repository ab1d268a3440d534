import { commandsOf, type Skeleton } from './commands.js';

const shell = (...lines: readonly string[]): string => ['```sh', ...lines, '```'].join('\n');

/** Describes how to run a new plugin. */
export function readmeOf(skeleton: Skeleton): string {
  const { id, language, kind } = skeleton;
  const { install, start, endpoint } = commandsOf(skeleton);
  const what = kind === 'http' ? 'an HTTP worker' : 'a Temporal activity worker';
  const where = language === 'python' ? '`run` in `worker.py`' : '`plugin.ts`';
  const address =
    kind === 'http'
      ? ''
      : ' Set `TEMPORAL_ADDRESS` and `TEMPORAL_NAMESPACE` as well, and `TEMPORAL_API_KEY` for Temporal Cloud.';
  const base = language === 'python' ? 'the whole URL' : `the base URL (\`/${id}\` is appended)`;
  const sections = [
    `# ${id}`,
    `A plugin for Knowledge Warehouse: ${what}. The code is in ${where}.`,
    shell(...(install === null ? [] : [install]), start),
    `It registers itself as the plugin \`${id}\`, which pipelines can then use. If the service runs on this machine, setting \`KW_DATA_DIR\` to its data directory (\`.kw\`) is enough. Otherwise, set \`KW_URL\` to the service's URL and \`KW_API_KEY\` to a key with the scope \`plugin:${id}\`.${address}`,
    ...(language === 'typescript' ? ['`npm test` tests its code without a service.'] : []),
    ...(endpoint === null
      ? activityTrial(id, start)
      : trial(start, `npx kw plugins check ${endpoint}`, base)),
  ];
  return `${sections.join('\n\n')}\n`;
}

/** Describes how to test an HTTP worker without a service. */
function trial(start: string, check: string, base: string): string[] {
  return [
    `The worker stores the secret that signs its messages in \`.kw-secrets\`. It listens on \`HOST\` and \`PORT\`; \`KW_ENDPOINT\` is ${base} at which the service reaches it. To test it without a service, against every rule of the protocol, start it with a secret of your own:`,
    shell('export KW_SIGNING_SECRET=whsec_$(openssl rand -base64 32)', `${start} &`),
    'Then, in the checkout of the service and with the same `KW_SIGNING_SECRET`:',
    shell(check),
  ];
}

/** Describes how to test an activity worker without a service. */
function activityTrial(id: string, start: string): string[] {
  return [
    'To test the worker without a service, against every rule of the protocol, run this in the checkout of the service:',
    shell(`npx kw plugins check --activity --start "cd /path/to/${id} && ${start}"`),
    'It starts a Temporal dev server, unless `TEMPORAL_ADDRESS` names one.',
  ];
}
