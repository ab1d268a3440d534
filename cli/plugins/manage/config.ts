import { withService } from '../../command.js';
import { readDocument } from '../../documents.js';
import type { JsonFlags, ServiceFlags } from '../../service/find-service.js';
import { plain } from '../../terminal/text.js';

/** `kw plugins config get`. */
export async function getConfig(id: string, flags: ServiceFlags): Promise<void> {
  await withService(flags, async ({ client, output }) => {
    const { value: body } = await client.GET('/plugins/{id}', { params: { path: { id } } });
    await output.write(`${JSON.stringify(body.config, null, 2)}\n`);
  });
}

/**
 * `kw plugins config set`: the service accepts any object. Warns where it does not match the plugin's schema.
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
    if (flags.json === true) output.json(body);
    else output.line(`${id}: config replaced`);
  });
}
