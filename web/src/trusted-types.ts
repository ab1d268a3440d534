interface TrustedTypesFactory {
  createPolicy(name: string, rules: { createHTML: (text: string) => string | null }): unknown;
}

/**
 * Under `require-trusted-types-for 'script'` text becomes markup through this policy alone. Mantine writes its variables
 * into a <style> as such text: that goes through, anything that could open a tag does not.
 */
export function restrictMarkup(): void {
  const { trustedTypes } = window as { readonly trustedTypes?: TrustedTypesFactory };
  trustedTypes?.createPolicy('default', {
    createHTML: (text) => (/[<&]/.test(text) ? null : text),
  });
}
