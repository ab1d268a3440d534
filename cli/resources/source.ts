import { onService } from '../command.js';
import { CommandError } from '../exit.js';
import { findResource } from '../service/find-resource.js';
import type { ServiceFlags } from '../service/find-service.js';
import { writeWhole } from './get/write-file.js';

interface SourceFlags extends ServiceFlags {
  readonly output?: string;
}

/** `kw source`: the bytes of a resource as they were uploaded or fetched. */
export const source = onService(async ({ client, output, signal }, idOrName: string, flags: SourceFlags) => {
  const { id, media_type: type } = await findResource(client, idOrName);
  const isText = type === null || type.startsWith('text/');
  if (flags.output === undefined && output.width !== null && !isText)
    throw new CommandError(`The source is ${type}, which a terminal cannot show. Use -o FILE, or "-o -".`);
  const { body } = await client.open(`/resources/${id}/source`);
  if (body === null) throw new CommandError('The response has no content.');
  if (flags.output !== undefined && flags.output !== '-') await writeWhole(flags.output, body, signal);
  else for await (const chunk of body as AsyncIterable<Uint8Array>) await output.write(chunk);
});
