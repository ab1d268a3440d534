interface TrustedTypesFactory {
  createPolicy(name: string, rules: { createHTML: (text: string) => string | null }): unknown;
}

/**
 * Adds the only policy that turns text into markup under `require-trusted-types-for 'script'`. Mantine writes its
 * variables into a <style> as text, which is allowed; anything that could open a tag is rejected.
 */
export function restrictMarkup(): void {
  const { trustedTypes } = window as { readonly trustedTypes?: TrustedTypesFactory };
  trustedTypes?.createPolicy('default', {
    createHTML: (text) => (/[<&]/.test(text) ? null : text),
  });
}
