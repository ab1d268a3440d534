/** The form of a path parameter; any other form is NOT_FOUND. `title` names what it identifies. */
export interface ParamSchema {
  readonly type: 'string';
  readonly title: string;
  readonly description: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly examples: readonly [string];
}
