import { ServiceError } from '../../core/errors.js';
import type { ContentType } from '../../core/states.js';
import { qualityOf, readAccept } from '../request/accept.js';

/** The form of an artifact's response: JSON with all fields, or only its content under a media type. */
export type ArtifactForm = 'envelope' | 'text/plain' | 'application/json' | 'application/octet-stream';

/**
 * Returns the form that `Accept` prefers; the envelope wins ties. For `application/json`, JSON and vectors are sent as
 * their content alone, unless any media type is accepted; a text is JSON only in the envelope. Throws NOT_ACCEPTABLE.
 */
export function chooseForm(accept: string | undefined, contentType: ContentType): ArtifactForm {
  const ranges = readAccept(accept);
  const isText = contentType === 'text';
  const own = isText ? 'text/plain' : 'application/json';
  const available = [...new Set(['application/json', own, 'application/octet-stream'])];
  const wildcard = ranges.find(({ type }) => type === '*/*')?.quality ?? 0;
  const envelope = isText ? qualityOf(ranges, 'application/json') : wildcard;
  const forms: readonly (readonly [ArtifactForm, number])[] = [
    ['envelope', envelope],
    [own, qualityOf(ranges, own)],
    ['application/octet-stream', qualityOf(ranges, 'application/octet-stream')],
  ];
  const [form, quality] = forms.reduce((best, each) => (each[1] > best[1] ? each : best));
  if (quality > 0) return form;
  throw new ServiceError('NOT_ACCEPTABLE', `This artifact is available as ${inWords(available)}.`, {
    available,
  });
}

const inWords = (types: readonly string[]): string => `${types.slice(0, -1).join(', ')} and ${types.at(-1)}`;
