/** How a path parameter looks like; what looks otherwise is NOT_FOUND. `title` names what it identifies. */
export interface ParamSchema {
  readonly type: 'string';
  readonly title: string;
  readonly description: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly examples: readonly [string];
}
