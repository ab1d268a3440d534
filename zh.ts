import { readFileSync } from 'node:fs';
import { runPlugin } from './test/support/plugin-context.js';
import { extractText } from './plugins/extract-text/index.js';
import { bomb, zip, zipEntry } from './test/plugins/support/zip.js';
import { pdfBomb } from './test/plugins/support/pdf.js';
const f=(n:string)=>readFileSync('test/fixtures/'+n);
const docxish=(e:any)=>zip([zipEntry('[Content_Types].xml','<Types/>'), e]);
const cases: Record<string, [Buffer, any?, string?]> = {
  bomb: [docxish(bomb('word/document.xml', 4000))],
  bombSmall: [docxish(bomb('word/document.xml', 300)), {max_unpacked_bytes: 64*1024*1024}],
  lying: [docxish(bomb('word/document.xml', 300, 1000)), {max_unpacked_bytes: 64*1024*1024}],
  xlsxbomb: [zip([zipEntry('xl/workbook.xml','<workbook/>'), bomb('xl/sharedStrings.xml', 4000)]), {}],
  pdfbomb: [pdfBomb(3000), {max_memory_mb: 256}],
  pdfbombDefault: [pdfBomb(3000), {}],
  halfpdf: [f('handbook.pdf').subarray(0,70000)],
  truncpdf: [f('letter.pdf').subarray(0,500)],
  truncdocx: [f('minutes.docx').subarray(0,20000), {}, 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  deephtml: [Buffer.from('<html><body>'+'<div>'.repeat(200000)+'hi')],
  deephtml2: [Buffer.from('<html><body>'+'<b>'.repeat(200000)+'hi')],
  deepjson: [Buffer.from('['.repeat(500000)+']'.repeat(500000)),{}, 'application/json'],
  nestedxml: [zip([zipEntry('mimetype','application/vnd.oasis.opendocument.text'), zipEntry('content.xml','<a>'.repeat(1e6))])],
  laughs: [zip([zipEntry('mimetype','application/vnd.oasis.opendocument.text'), zipEntry('content.xml','<!DOCTYPE a [<!ENTITY l "lol"><!ENTITY m "&l;&l;&l;&l;&l;">]><body><p>&m;</p></body>')])],
  bigtable: [Buffer.from('<html><body><table>'+'<tr><td>one</td><td>two</td></tr>'.repeat(100000)+'</table>'), {}],
  bigparas: [Buffer.from('<html><body>'+'<p>Some text in a paragraph, not long.</p>'.repeat(100000)), {}],
  biglist: [Buffer.from('<html><body><ul>'+'<li>Some text in a paragraph, not long.</li>'.repeat(30000)), {}],
  unclosed: [Buffer.from('<html><body><p>One<p>Two<br>three<ul><li>a<li>b</ul><table><tr><td>1<td>2<tr><td>3<td>4</table>')],
  nobody: [Buffer.from('<!doctype html><title>T</title><p>One &amp; &eacute;<p>Two')],
  encrypted: [zip([zipEntry('[Content_Types].xml','<Types/>'), {...zipEntry('word/document.xml','xx'), encrypted:true}])],
};
for (const [n,[b,config,mediaType]] of Object.entries(cases)) {
  if (process.argv[2] && !process.argv.slice(2).includes(n)) continue;
  const t=performance.now(); const m0=process.memoryUsage().rss;
  let r; try { const {artifacts}=await runPlugin(extractText,{source:b,config:{timeout_seconds:20,...config},mediaType}); r='OK '+JSON.stringify((artifacts.get('text') as any).content.slice(0,150))+(artifacts.get('text') as any).content.length; } catch(e:any){ r=`${e.code} ${e.message} ${JSON.stringify(e.options)}`.slice(0,700)}
  console.log(n, b.length, (performance.now()-t).toFixed(0)+'ms', ((process.memoryUsage().rss-m0)/1e6).toFixed(0)+'MB', r);
}
