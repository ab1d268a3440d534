import type { ContentType } from '../states.js';

/** The signed message that hands a step to an HTTP worker; an activity worker gets the same from its claim. */
export interface StepMessage {
  readonly protocol: 'kw.step/1';
  readonly attempt: { readonly number: number; readonly max: number; readonly deadline: string };
  readonly run: number;
  readonly step_index: number;
  readonly resource: {
    readonly id: string;
    readonly name: string;
    readonly type: string;
    readonly media_type: string | null;
    readonly size_bytes: number | null;
    readonly sha256: string | null;
    readonly source_url: string;
  };
  readonly plugin: { readonly id: string; readonly config: Record<string, unknown> };
  readonly inputs: readonly {
    readonly artifact_id: string;
    readonly type: string;
    readonly content_type: ContentType;
    readonly url: string;
  }[];
  readonly callback: { readonly url: string; readonly token: string };
}

/** The one argument of an activity plugin's activity. */
export interface ActivityMessage {
  readonly protocol: 'kw.activity/1';
  readonly core_url: string;
  readonly resource_id: string;
  readonly run: number;
  readonly step_index: number;
  readonly plugin_id: string;
  /** The attempt's number in the step is this plus Temporal's attempt number. */
  readonly attempt_base: number;
}

/** Where workers reach Core, all below `{base}/api/v1/internal/`. `base` has no slash at its end. */
export const internalUrls = {
  callback: (base: string, resourceId: string): string => `${base}/api/v1/internal/artifacts/${resourceId}`,
  source: (base: string, resourceId: string): string =>
    `${base}/api/v1/internal/resources/${resourceId}/source`,
  input: (base: string, resourceId: string, artifactId: string): string =>
    `${base}/api/v1/internal/resources/${resourceId}/inputs/${artifactId}`,
};
