/** A resource from the web. */
export const newPage = {
  name: 'Opening hours',
  type: 'webpage',
  source: { kind: 'URL', url: 'https://example.com/opening-hours.html' },
};

/** The form of an upload; the file's bytes stand in the place of `file`. */
export const handbookForm = {
  name: 'Archive handbook',
  type: 'document',
  source: '{"kind":"UPLOAD"}',
  file: 'the bytes of handbook.pdf',
};
