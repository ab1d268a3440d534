/** What the page's policy knows styles by that are made while it runs; new with each answer of index.html. */
export const styleNonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';

/** Where react-remove-scroll, which Mantine's modals use, looks for it. */
export function shareNonce(): void {
  (window as { __webpack_nonce__?: string }).__webpack_nonce__ = styleNonce;
}
