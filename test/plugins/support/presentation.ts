import { zip, zipEntry } from './zip.js';

/** A presentation of slides that have a title, and perhaps the same text. */
export function presentation(titles: readonly string[], body = ''): Buffer {
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const ids = titles.map((_, index) => `<p:sldId r:id="r${index}"/>`).join('');
  const related = titles.map(
    (_, index) => `<Relationship Id="r${index}" Type="${office}/slide" Target="slides/slide${index}.xml"/>`,
  );
  return zip([
    zipEntry(
      'ppt/presentation.xml',
      `<p:presentation xmlns:p="p" xmlns:r="${office}">${ids}</p:presentation>`,
    ),
    zipEntry('ppt/_rels/presentation.xml.rels', `<r>${related.join('')}</r>`),
    ...titles.map((title, index) =>
      zipEntry(
        `ppt/slides/slide${index}.xml`,
        `<p:sld xmlns:p="p" xmlns:a="a"><p:sp><p:ph type="title"/><a:p><a:t>${title}</a:t></a:p></p:sp><p:sp><a:p><a:t>${body}</a:t></a:p></p:sp></p:sld>`,
      ),
    ),
  ]);
}
