import type { TestStack } from '../support/service/stack.js';
import type { Seeded } from './seed.js';

/** What a valid request may be answered with on every path: a header may name what is gone, and an address may be too long. */
const answers = ['2xx', '304', '401', '403', '404', '409', '412', '416', '422', '431'] as const;

/** Operations with a rule that no schema says, so that 400 may be the answer to what keeps to the document, and the rule. */
const rules: Readonly<Record<string, string>> = {
  'GET /api/v1/resources': 'a cursor comes from this list',
  'GET /api/v1/resources/{id}/runs': 'a cursor comes from this list',
  'GET /api/v1/resources/{id}/attempts': 'a cursor comes from this list',
  'GET /api/v1/operations': 'a cursor comes from this list',
  'GET /api/v1/pipelines': 'a cursor comes from this list',
  'GET /api/v1/plugins': 'a cursor comes from this list',
  'GET /api/v1/keys': 'a cursor comes from this list',
  'GET /api/v1/audit': 'a cursor comes from this list',
  'POST /api/v1/keys': 'it expires in the future',
  'POST /api/v1/operations': 'either a filter or ids',
  'POST /api/v1/search': 'no filter is given twice',
  'GET /api/v1/search': 'no filter is given twice',
  'POST /api/v1/resources': 'the file is not empty, the URL is one that may be fetched',
  'POST /api/v1/pipelines': 'the plugins of the steps are there',
  'PUT /api/v1/pipelines/{id}': 'the plugins of the steps are there',
  'POST /api/v1/plugins': 'the endpoint may be called, the config schema is one',
  'PUT /api/v1/plugins/{id}': 'the id is the one in the path',
  'POST /api/v1/plugins/{id}/signing-secret': 'only http plugins have one',
  'POST /api/v1/internal/artifacts/{resource_id}': 'a type comes once, an upload is one of the attempt',
  'PUT /api/v1/internal/artifacts/{resource_id}/uploads': 'the content is of its content_type',
};

/** Operations that are left out: their answers do not end, and what is asked of them their own tests ask. */
const endless = ['GET /api/v1/events', 'GET /api/v1/resources/{id}/events'];

/** What is read here of an OpenAPI document. */
export interface OpenApiPaths {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** The settings of schemathesis, as TOML. Throws when one is for an operation that the document does not have. */
export function settingsOf({ adminKey }: TestStack, seeded: Seeded, document: OpenApiPaths): string {
  const list = (statuses: readonly string[]): string => JSON.stringify(statuses);
  const ids: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    'GET /api/v1/resources/{id}/artifacts/{artifactId}': {
      id: seeded.resourceId,
      artifactId: seeded.artifactId,
    },
    'GET /api/v1/internal/resources/{id}/source': { id: seeded.waitingId },
    'GET /api/v1/internal/resources/{id}/inputs/{artifactId}': { id: seeded.waitingId },
    'POST /api/v1/internal/artifacts/{resource_id}': { resource_id: seeded.waitingId },
    // Never the key that the requests are made with.
    'DELETE /api/v1/keys/{id}': { id: seeded.keyId },
    'PUT /api/v1/internal/artifacts/{resource_id}/uploads': { resource_id: seeded.waitingId },
  };
  const names = [...new Set([...Object.keys(rules), ...Object.keys(ids)])];
  for (const name of [...names, ...endless]) {
    const [method = '', path = ''] = name.split(' ');
    if (document.paths[path]?.[method.toLowerCase()] === undefined)
      throw new Error(`The OpenAPI document has no operation ${name}.`);
  }
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
