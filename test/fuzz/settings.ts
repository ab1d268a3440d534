import type { TestStack } from '../support/stack.js';
import type { Seeded } from './seed.js';

/** What a request that keeps to the document may be answered with on every path: a header may name what is not there any more. */
const answers = ['2xx', '304', '401', '403', '404', '409', '412', '416', '422'] as const;

/** Operations with a rule that no schema says, so that 400 may be the answer to what keeps to the document, and the rule. */
const rules: Readonly<Record<string, string>> = {
  'GET /resources': 'a cursor comes from this list',
  'GET /resources/{id}/runs': 'a cursor comes from this list',
  'GET /pipelines': 'a cursor comes from this list',
  'GET /plugins': 'a cursor comes from this list',
  'GET /keys': 'a cursor comes from this list',
  'GET /audit': 'a cursor comes from this list',
  'POST /keys': 'it expires in the future',
  'POST /resources': 'the file is not empty, the URL is one that may be fetched',
  'POST /pipelines': 'the plugins of the steps are there',
  'PUT /pipelines/{id}': 'the plugins of the steps are there',
  'POST /plugins': 'the endpoint may be called, the config schema is one',
  'PUT /plugins/{id}': 'the id is the one in the path',
  'POST /plugins/{id}/signing-secret': 'only http plugins have one',
  'POST /internal/artifacts/{resource_id}': 'a type comes once, an upload is one of the attempt',
  'PUT /internal/artifacts/{resource_id}/uploads': 'the content is of its content_type',
};

/** Operations that are left out: their answers do not end, and what is asked of them their own tests ask. */
const endless = ['GET /events', 'GET /resources/{id}/events'];

/** The settings of schemathesis, as TOML. */
export function settingsOf({ adminKey }: TestStack, seeded: Seeded): string {
  const list = (statuses: readonly string[]): string => JSON.stringify(statuses);
  const ids: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    'GET /resources/{id}/artifacts/{artifactId}': { id: seeded.resourceId, artifactId: seeded.artifactId },
    'GET /internal/resources/{id}/source': { id: seeded.waitingId },
    'GET /internal/resources/{id}/inputs/{artifactId}': { id: seeded.waitingId },
    'POST /internal/artifacts/{resource_id}': { resource_id: seeded.waitingId },
    // Never the key that the requests are made with.
    'DELETE /keys/{id}': { id: seeded.keyId },
    'PUT /internal/artifacts/{resource_id}/uploads': { resource_id: seeded.waitingId },
  };
  const names = [...new Set([...Object.keys(rules), ...Object.keys(ids)])];
  const operations = names.map((name) => {
    const lines = ['[[operations]]', `include-name = "${name}"`];
    if (name in rules) {
      const expected = list([...answers, '400']);
      lines.push(`# ${rules[name]}`, `checks.positive_data_acceptance.expected-statuses = ${expected}`);
    }
    for (const [parameter, value] of Object.entries(ids[name] ?? {}))
      lines.push(`parameters."path.${parameter}" = "${value}"`);
    return lines.join('\n');
  });
  const leftOut = endless.map((name) => `[[operations]]\ninclude-name = "${name}"\nenabled = false`);
  return `
[auth.openapi.apiKey]
bearer = "${adminKey}"
[auth.openapi.callbackToken]
bearer = "${seeded.callbackToken}"
[checks.positive_data_acceptance]
expected-statuses = ${list(answers)}
${[...operations, ...leftOut].join('\n')}
`;
}
