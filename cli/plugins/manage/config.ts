import { onService, withService } from '../../command.js';
import { readDocument } from '../../documents.js';
import type { JsonFlags, ServiceFlags } from '../../service/find-service.js';
import { plain } from '../../terminal/text.js';

/** `kw plugins config get`. */
export const getConfig = onService(async ({ client, output }, id: string, _flags: ServiceFlags) => {
  const { value: body } = await client.GET('/plugins/{id}', { params: { path: { id } } });
  await output.write(`${JSON.stringify(body.config, null, 2)}\n`);
});

/**
 * `kw plugins config set`: the service accepts any object. Warns where it does not match the plugin's schema, and
 * of members that the schema does not name.
 */
export async function setConfig(id: string, path: string, flags: JsonFlags): Promise<void> {
  const { value, at } = await readDocument(path);
  await withService(flags, async ({ client, output, lines }) => {
    const { value: body } = await client.PUT('/plugins/{id}/config', {
      params: { path: { id } },
      body: { config: value as Record<string, never> },
      repeatable: true,
    });
    for (const warning of body.config_warnings)
      lines.print(`Warning: ${at(warning.path)}: ${plain(warning.message)}`);
    for (const name of unnamedMembers(value as object, body.config_schema))
      lines.print(`Warning: ${at(pointerTo(name))}: the config schema has no such field`);
    output.result(body, flags, () => [`${id}: config replaced`]);
  });
}

/** The keywords by which a schema may allow members other than its `properties`, or forbid them itself. */
const otherMembers =
  /^(additional|pattern|unevaluated)Properties$|^(all|any|one)Of$|^(if|then|else|not|dependentSchemas|\$ref|\$dynamicRef)$/;

/** The members of a config that its schema ignores, such as misspelt ones. */
function unnamedMembers(config: object, schema: unknown): readonly string[] {
  const { properties } = Object(schema) as { readonly properties?: object };
  if (properties === undefined || Object.keys(schema as object).some((key) => otherMembers.test(key)))
    return [];
  return Object.keys(config).filter((name) => !Object.hasOwn(properties, name));
}

/** The JSON Pointer of a member. */
const pointerTo = (name: string): string => `/${name.replace(/~/g, '~0').replace(/\//g, '~1')}`;
