/** The options of `kw plugins check`, unparsed. */
export interface CheckFlags {
  readonly secret?: string;
  readonly config?: string;
  readonly source?: string;
  readonly mediaType?: string;
  readonly input?: readonly string[];
  readonly failingSource?: string;
  readonly failingConfig?: string;
  readonly pluginId: string;
  readonly heartbeatSeconds?: number;
  readonly timeout: number;
  readonly listen: string;
  readonly publicUrl?: string;
  readonly activity: boolean;
  readonly start?: string;
  readonly temporal?: string;
  readonly namespace: string;
  readonly taskQueue?: string;
  readonly activityType?: string;
  readonly json: boolean;
}

/** The options of `kw plugins new`, unparsed. */
export interface NewFlags {
  readonly language: 'typescript' | 'python';
  readonly kind?: 'activity' | 'http';
  readonly dir?: string;
}
