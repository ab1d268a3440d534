/** The nonce of the page's policy for styles created at run time. Each response of index.html has a new one. */
export const styleNonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';

/** Sets the nonce where react-remove-scroll, which Mantine's modals use, looks for it. */
export function shareNonce(): void {
  (window as { __webpack_nonce__?: string }).__webpack_nonce__ = styleNonce;
}
