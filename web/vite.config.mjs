import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  // The service prepends its public path (api/pages/web-page.ts). Files loaded later have relative URLs.
  base: './',
  plugins: [react()],
  resolve: {
    alias: {
      // Its browser build decodes entities with innerHTML, which our Trusted Types policy rejects. The default
      // build uses a table instead.
      'decode-named-character-reference': fileURLToPath(
        import.meta.resolve('decode-named-character-reference'),
      ),
      '@rjsf/validator-ajv8': fileURLToPath(new URL('no-ajv.mjs', import.meta.url)),
    },
  },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    // For inlined images and fonts, the policy would have to allow data URLs.
    assetsInlineLimit: 0,
    // Vite never loads a style sheet of a part again after it has failed once.
    cssCodeSplit: false,
    target: 'baseline-widely-available',
    // The target browsers support module preloading without a polyfill.
    modulePreload: { polyfill: false },
  },
});
