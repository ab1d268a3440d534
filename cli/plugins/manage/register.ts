import { withService } from '../../command.js';
import { readDocument } from '../../documents.js';
import { CommandError } from '../../exit.js';
import { ApiError } from '@knowledge-warehouse/client';
import type { JsonFlags } from '../../service/find-service.js';
import { plain } from '../../terminal/text.js';

/** `kw plugins register`: registers a plugin manually, as its worker does when it starts. */
export async function register(path: string, flags: JsonFlags): Promise<void> {
  const document = await readDocument(path);
  const id = (document.value as { readonly id?: unknown } | null)?.id;
  if (typeof id !== 'string' || id === '')
    throw new CommandError(`${document.at('/id')}: must be the plugin's id`);
  await withService(flags, async ({ client, output, lines }) => {
    // The signing secret is shown only once, so a request whose response was lost is not simply repeated.
    const { status, value: body } = await client
      .PUT('/plugins/{id}', { params: { path: { id } }, body: document.value as never })
      .catch((error: unknown) => {
        if (!(error instanceof ApiError) || error.findings.length === 0) throw error;
        const places = error.findings.map(({ path, message }) => `${document.at(path)}: ${plain(message)}`);
        throw new CommandError([...places, `Nothing was registered (${error.code}).`].join('\n'));
      });
    for (const warning of body.config_warnings)
      lines.print(`Warning: config${warning.path}: ${plain(warning.message)}`);
    if (flags.json === true) {
      output.json(body);
      return;
    }
    output.line(`${id}: ${status === 201 ? 'created' : 'updated'}`);
    if (body.signing_secret === undefined) return;
    output.line(`signing secret: ${body.signing_secret}`);
    lines.print('Set it as KW_SIGNING_SECRET in the worker; it is not shown again.');
  });
}
