import { spaces } from './zip.js';

/** A PDF of one page whose content stream unpacks to `mebibytes` of spaces. */
export function pdfBomb(mebibytes: number): Buffer {
  const content = Buffer.concat([Buffer.from([0x78, 0x9c]), spaces(mebibytes), Buffer.alloc(4)]);
  return pdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R >>',
    Buffer.concat([
      Buffer.from(`<< /Length ${content.length} /Filter /FlateDecode >>\nstream\n`),
      content,
      Buffer.from('\nendstream'),
    ]),
  ]);
}

/** A PDF of one page that draws a form, which draws the next one twice, and so on: its text is there 2 ** `forms` times. */
export function doublingPdf(forms: number): Buffer {
  const first = 5;
  const form = (index: number): Buffer => {
    const isLast = index === forms - 1;
    const content = isLast ? 'BT /F 12 Tf (x) Tj ET' : '/N Do /N Do';
    const next = isLast ? '' : ` /XObject << /N ${first + index + 1} 0 R >>`;
    const resources = `/Resources << /Font << /F 3 0 R >>${next} >>`;
    return Buffer.from(
      `<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] ${resources} /Length ${content.length} >>\nstream\n${content}\nendstream`,
    );
  };
  return pdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [4 0 R] /Count 1 /MediaBox [0 0 612 792] >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    `<< /Type /Page /Parent 2 0 R /Contents ${first + forms} 0 R /Resources << /XObject << /N ${first} 0 R >> >> >>`,
    ...Array.from({ length: forms }, (_, index) => form(index)),
    stream(Buffer.from('/N Do')),
  ]);
}

/** A PDF of one page in a font of bitmaps, as TeX once made them. Its text is "AB BA". */
export function bitmapFontPdf(): Buffer {
  const glyph = (bits: string): Buffer =>
    stream(
      Buffer.concat([
        Buffer.from('8 0 0 0 8 8 d1 8 0 0 8 0 0 cm BI /W 8 /H 8 /IM true /BPC 1 ID '),
        Buffer.from(bits, 'hex'),
        Buffer.from(' EI'),
      ]),
    );
  return pdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>',
    stream(Buffer.from('BT /F 12 Tf 72 720 Td (AB) Tj 30 0 Td (BA) Tj ET')),
    '<< /Type /Font /Subtype /Type3 /FontBBox [0 0 8 8] /FontMatrix [0.1 0 0 0.1 0 0] /FirstChar 65 /LastChar 66 ' +
      '/Widths [8 8] /Encoding << /Differences [65 /A /B] >> /CharProcs << /A 6 0 R /B 7 0 R >> /Resources << >> >>',
    glyph('183c66c3ffc3c3c3'),
    glyph('fcc6c6fcc6c6c6fc'),
  ]);
}

/** An object that is a stream. */
export function stream(content: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(`<< /Length ${content.length} >>\nstream\n`),
    content,
    Buffer.from('\nendstream'),
  ]);
}

/** A PDF of these objects, the first of them its catalog. `trailer` may name another one as its `/Info`. */
export function pdf(objects: readonly (string | Buffer)[], trailer = ''): Buffer {
  const parts = [Buffer.from('%PDF-1.7\n')];
  const offsets: number[] = [];
  const length = (): number => parts.reduce((sum, part) => sum + part.length, 0);
  for (const [index, object] of objects.entries()) {
    offsets.push(length());
    parts.push(Buffer.from(`${index + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n'));
  }
  const start = length();
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${rows}`;
  parts.push(
    Buffer.from(`${table}trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`),
  );
  return Buffer.concat(parts);
}

/** A PDF of one page that shows text by these operators, in Helvetica of 12 points from the top left on, and turns clockwise. */
export function textPdf(operators: string, toUnicode?: Buffer, rotate = 0): Buffer {
  const font = `<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica${toUnicode ? ' /ToUnicode 6 0 R' : ''} >>`;
  return pdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 612 792] >>',
    `<< /Type /Page /Parent 2 0 R /Rotate ${rotate} /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>`,
    stream(Buffer.from(`BT /F 1 Tf 12 0 0 12 72 720 Tm ${operators} ET`)),
    font,
    ...(toUnicode ? [toUnicode] : []),
  ]);
}

/** A PDF of one page that says "Form", with these annotations; `objects`, the first of them object 6, are what they refer to. */
export function annotatedPdf(annotations: readonly string[], objects: readonly string[] = []): Buffer {
  const first = 6 + objects.length;
  const references = annotations.map((_, index) => `${first + index} 0 R`).join(' ');
  return pdf([
    `<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [${references}] >> >>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 612 792] >>',
    `<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> /Annots [${references}] >>`,
    stream(Buffer.from('BT /F 12 Tf 72 720 Td (Form) Tj ET')),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...objects,
    ...annotations.map((entries) => `<< /Type /Annot /Rect [9 9 90 20] ${entries} >>`),
  ]);
}
