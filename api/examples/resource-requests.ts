/** A resource from the web. */
export const newPage = {
  name: 'Opening hours',
  type: 'webpage',
  source: { kind: 'URL', url: 'https://example.com/opening-hours.html' },
};

/** The form of an upload. The file's bytes replace the value of `file`. */
export const handbookForm = {
  name: 'Archive handbook',
  type: 'document',
  source: '{"kind":"UPLOAD"}',
  file: 'the bytes of handbook.pdf',
};
