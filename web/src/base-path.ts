/** As much of it as is needed: tests of modules run without a document. */
interface Surroundings {
  readonly document?: { querySelector(selector: string): { readonly content?: string } | null };
}

const { document: page } = globalThis as unknown as Surroundings;

/** The path that the service is below, such as `/kw`; empty at the root. The service writes it into the page. */
export const basePath = page?.querySelector('meta[name="base-path"]')?.content ?? '';
