/** One media range of an `Accept` header, without parameters. */
export interface MediaRange {
  /** A media type in lower case, or a wildcard. */
  readonly type: string;
  /** From 0 (not acceptable) to 1. */
  readonly quality: number;
}

/** Parses an `Accept` header (RFC 9110 §12.5.1). Without one, any media type is acceptable. */
export function readAccept(header: string | undefined): readonly MediaRange[] {
  if (header === undefined || header.trim() === '') return [{ type: '*/*', quality: 1 }];
  return header.split(',').map((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    const value = quality === undefined ? 1 : Number(quality);
    return { type, quality: value >= 0 && value <= 1 ? value : 0 };
  });
}

/** Returns the quality of a media type: that of the most specific matching range. */
export function qualityOf(ranges: readonly MediaRange[], type: string): number {
  const fitting = [type, `${type.split('/')[0]}/*`, '*/*'];
  const range = fitting
    .map((each) => ranges.find((candidate) => candidate.type === each))
    .find((each) => each !== undefined);
  return range?.quality ?? 0;
}
