/** The part of `document` that is needed: tests of modules run without one. */
interface Surroundings {
  readonly document?: { querySelector(selector: string): { readonly content?: string } | null };
}

const { document: page } = globalThis as unknown as Surroundings;

/** The path of the service, such as `/kw`; empty at the root. The service writes it into the page. */
export const basePath = page?.querySelector('meta[name="base-path"]')?.content ?? '';
