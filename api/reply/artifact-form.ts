import { ServiceError } from '../../core/errors.js';
import type { ContentType } from '../../core/states.js';
import { qualityOf, readAccept } from '../request/accept.js';

/** The form of an artifact's response: JSON with all fields, or only its content under a media type. */
export type ArtifactForm = 'envelope' | 'text/plain' | 'application/octet-stream';

/** Returns the form that `Accept` prefers; the envelope, which is JSON, wins ties. Throws NOT_ACCEPTABLE. */
export function chooseForm(accept: string | undefined, contentType: ContentType): ArtifactForm {
  const ranges = readAccept(accept);
  const raw = [
    ...(contentType === 'text' ? ['text/plain' as const] : []),
    'application/octet-stream' as const,
  ];
  const available = ['application/json', ...raw];
  const forms: readonly (readonly [ArtifactForm, number])[] = [
    ['envelope', qualityOf(ranges, 'application/json')],
    ...raw.map((type) => [type, qualityOf(ranges, type)] as const),
  ];
  const [form, quality] = forms.reduce((best, each) => (each[1] > best[1] ? each : best));
  if (quality > 0) return form;
  throw new ServiceError('NOT_ACCEPTABLE', `This artifact is available as ${inWords(available)}.`, {
    available,
  });
}

const inWords = (types: readonly string[]): string => `${types.slice(0, -1).join(', ')} and ${types.at(-1)}`;
