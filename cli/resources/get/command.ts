import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

import { onService, type CommandContext } from '../../command.js';
import { CommandError } from '../../exit.js';
import { findResource } from '../../service/find-resource.js';
import { plain } from '../../terminal/text.js';
import type { JsonFlags } from '../../service/find-service.js';
import type { Artifact, Resource } from '@knowledge-warehouse/client';
import { contentMember } from './content-member.js';
import { decodeString } from './json-string.js';
import { writeWhole } from './write-file.js';

interface GetFlags extends JsonFlags {
  readonly output?: string;
  readonly step?: number;
}

/** Larger content is not formatted for a terminal. */
const mostPretty = 16 * 1024 * 1024;

/** `kw get`: prints the content of an artifact unchanged. */
export const get = onService(async (context, idOrName: string, type: string, flags: GetFlags) => {
  const resource = await findResource(context.client, idOrName);
  const artifact = findArtifact(resource, type, flags.step);
  const { body } = await context.client.open(`/resources/${resource.id}/artifacts/${artifact.id}`);
  if (body === null) throw new CommandError('The response has no content.');
  const content = flags.json === true ? body : rawContent(artifact, body);
  if (flags.output !== undefined && flags.output !== '-')
    await writeWhole(flags.output, content, context.signal);
  else await print(context, artifact, content);
});

/** If several steps have an artifact of the type, the last one's is used, as for a later step. */
function findArtifact({ name, artifacts, status }: Resource, type: string, step?: number): Artifact {
  const found = artifacts
    .filter((artifact) => artifact.type === type && (step === undefined || artifact.step_index === step))
    .sort((one, other) => other.step_index - one.step_index)[0];
  if (found !== undefined) return found;
  const there = artifacts.map((artifact) => `${artifact.type} (step ${artifact.step_index})`).join(', ');
  const which = step === undefined ? type : `${type} of step ${step}`;
  throw new CommandError(
    `${plain(name)}, which is ${status}, has no artifact ${which}. ${there === '' ? 'It has none.' : `It has ${there}.`}`,
  );
}

const rawContent = (
  { content_type }: Artifact,
  body: AsyncIterable<Uint8Array>,
): AsyncIterable<Uint8Array | string> =>
  content_type === 'text' ? decodeString(contentMember(body)) : contentMember(body);

/** Writes the content unchanged; on a terminal, formats an object and ends the last line. */
async function print(
  { output }: CommandContext,
  { content_type, size_bytes }: Artifact,
  content: AsyncIterable<Uint8Array | string>,
): Promise<void> {
  const isTerminal = output.width !== null;
  if (isTerminal && content_type === 'json' && size_bytes <= mostPretty) {
    const text = await buffer(Readable.from(content, { objectMode: false }));
    output.json(JSON.parse(text.toString()));
    return;
  }
  let last: Uint8Array | string = '';
  for await (const chunk of content) {
    await output.write(chunk);
    last = chunk;
  }
  if (isTerminal && !Buffer.from(last).toString().endsWith('\n')) await output.write('\n');
}
