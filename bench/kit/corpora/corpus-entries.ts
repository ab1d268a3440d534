/** Documents by other authors and where `corpus.ts` fetches them. */
export interface CorpusEntry {
  readonly format: Format;
  /** A Debian package, or a jar of Tika's test documents on Maven Central (`tika-pdf`, `tika-microsoft`). */
  readonly from: string;
  readonly path: string;
  /** The hash of the file at that path. Pandoc writes a DOCX or PPTX of a Debian package from a page in the package. */
  readonly sha256: string;
}

export const formats = ['pdf', 'html', 'docx', 'pptx'] as const;
export type Format = (typeof formats)[number];

/** Returns the entries of a format from the hashes of its files, which are named by origin and path. */
const entriesOf = (format: Format, hashes: Readonly<Record<string, string>>): CorpusEntry[] =>
  Object.entries(hashes).map(([file, sha256]) => {
    const [from, path] = file.split(':');
    if (from === undefined || path === undefined)
      throw new Error(`The file "${file}" of the corpus has no origin. Name it as "origin:path".`);
    return { format, from, path, sha256 };
  });

/** A dozen of each format, alternating between origins, so that a smaller scale includes both. */
export const corpusEntries: readonly CorpusEntry[] = [
  ...entriesOf('pdf', {
    'texlive-humanities-doc:usr/share/doc/texlive-doc/latex/nnext/nnext.pdf':
      'd94e7d8ae6a349abf9dc3c11d1825d6c7c3f50d1d0c4cc855b713daca2de0597',
    'texlive-humanities-doc:usr/share/doc/texlive-doc/latex/theatre/doc/Help_Theatre.pdf':
      'd007a3192e698c447d04837605f99b052002879027dcc9ba20f1919b09d9525b',
    'tika-pdf:test-documents/testPDF-TIKA-4444.pdf':
      'c99b9de35d6f6135028665007f2319790c7c01de20687b645dbfe435d19457a6',
    'texlive-humanities-doc:usr/share/doc/texlive-doc/latex/parallel/parallel.pdf':
      '2f4d2d1ec0a9e557700bd51f6512e7482f711ce23b38455d8ee7dd1ebc7663c6',
    'texlive-humanities-doc:usr/share/doc/texlive-doc/latex/rrgtrees/rrgtrees.pdf':
      'b0b6b172cb4f9719c8a3853c8c0ac958cc1f2d03f6f4ad43d1a7c5a032b24f1e',
    'texlive-humanities-doc:usr/share/doc/texlive-doc/latex/bibleref-parse/bibleref-parse.pdf':
      '8b33cf32f150e5219cfa3384ca0dde98c5cda10dbad627651b00181074c72709',
    'texlive-humanities-doc:usr/share/doc/texlive-doc/latex/liturg/liturg.pdf':
      '8b77a4255222e4c167cc598e9858594043d024c597f5f7890855d94e1809a661',
    'tika-pdf:test-documents/testPDF_bad_page_303226.pdf':
      'da14d24dd22effebec987312abf0312750bdbbaf93f54c9aef3b9ec7041e40ba',
    'texlive-humanities-doc:usr/share/doc/texlive-doc/latex/edfnotes/PdUsample.pdf':
      '1a92ade0c277e5c713b4aea2396c18dfe5ba1e378afe2c466db875549ab515e2',
    'texlive-humanities-doc:usr/share/doc/texlive-doc/latex/eledform/eledform.pdf':
      'b3b53bb42538a44b3984753948f3bb15d8df49422a8403f3fa9438b43a9527b8',
    'texlive-humanities-doc:usr/share/doc/texlive-doc/latex/diadia/diadia-example.pdf':
      '1ae4030ac9c45b74c57cc6604c861848137da6feada2f173422ca108ab424b33',
    'tika-pdf:test-documents/testPDF.pdf': '8035bc3f748d8b97b8a9978bd812197bf40cf2b294a7e9b30e39d7167ddc720e',
  }),
  ...entriesOf('html', {
    'developers-reference:usr/share/developers-reference/best-pkging-practices.html':
      '69f66726db9bf21f896dd467fcfc97c56f735c775e87109963fb3fa0c21aad84',
    'exim4-doc-html:usr/share/doc/exim4-doc-html/spec_html/ch-the_exim_command_line.html':
      'c469c05a464e7e464ce2a1ae812a4b8b8b7012e49c5f63e0fb33a901741ba565',
    'valgrind:usr/share/doc/valgrind/html/manual-core-adv.html':
      '8d3dbb5558ce5c70e17b2dd46e8efd73d837b42efcc98d8e7103b76123c374b6',
    'debian-policy:usr/share/doc/debian-policy/policy.html/ch-controlfields.html':
      '5d9df2b0f501515f4fe4552560d1cd854db8cd90e37fbaa3cb017ee37ab84845',
    'maint-guide:usr/share/doc/maint-guide/html/dreq.en.html':
      '7bc48545be94806a8e615f9ff25b359cc21aebf4744e6d2ab5fa0082245680ee',
    'r-doc-html:usr/share/R/doc/manual/R-data.html':
      '0d3d4c4befc6e4b30701ec358f7da73487a6eb520b9b768145dcaf72db27a39f',
    'debmake-doc:usr/share/doc/debmake-doc/html/ch07.ru.html':
      'da8799e8ca3b6ff14a1828a63de2d5743d021d653fa27c025b9d7a63b140be73',
    'developers-reference:usr/share/developers-reference/resources.html':
      '51df7d6a4c39e360ce83bc710bcbcdebd0a193e14210a80f60863d80352bb845',
    'debian-policy:usr/share/doc/debian-policy/policy.html/upgrading-checklist.html':
      '03e9a8598cd8278aaa624408240640d54d3e3404afd91d611d732f97c86aa08e',
    'valgrind:usr/share/doc/valgrind/html/mc-manual.html':
      'b3798d930e99064295600ee98156bf8f76d1bba711c9ac60702bf3134f623950',
    'exim4-doc-html:usr/share/doc/exim4-doc-html/spec_html/ch-generic_options_for_routers.html':
      'a3962be958fe168e461679755e28fcecb3a8c45e1567d5254ac0a1ef65b8d2d2',
    'debmake-doc:usr/share/doc/debmake-doc/html/ch04.en.html':
      '08a0d030e3d3be54c7c99aeda0339c9410d20b238f0a071f07f3b0cba7d9f5d6',
  }),
  ...entriesOf('docx', {
    'exim4-doc-html:usr/share/doc/exim4-doc-html/spec_html/ch-access_control_lists.html':
      'ff98355efb632a59edd60d7ab63f2d626b3c6aa4fd3e2b6eb8666cd41a4cfda7',
    'tika-microsoft:test-documents/testWORD_2006ml.docx':
      'bad4b658718bcbc2ca837ce1679e24871d50a0e9f6987b4ade6b4a3e83be47ba',
    'r-doc-html:usr/share/R/doc/manual/R-lang.html':
      'd28b1e4794ce321753386ecf14064d066f5b683c28c57629caa0eeeebbce0fca',
    'tika-microsoft:test-documents/testWORD_template.docx':
      'b05df2e299e825b5b25b34ff5af63f3c309bf6afcd94b3dd8fab224ac507f163',
    'developers-reference:usr/share/developers-reference/pkgs.html':
      '0c7282c52c5b23875aa363b1fe6d9114277198c1f6110c12751c930c32998f2b',
    'tika-microsoft:test-documents/testWORD_embedded_pics.docx':
      '416b7f04fc83bf3d393924f1e1aa49e6bf7cda06fa1559a0e23b889e0cb6205d',
    'debian-policy:usr/share/doc/debian-policy/fhs/fhs-3.0.html':
      '05268acaf6ff17aa5f54228967831f2c60f4914ae3101767dcd70acb36cd821c',
    'tika-microsoft:test-documents/testWORD_numbered_list.docx':
      '3e500410c6ce4f56f871bd55beff2476152fc3d0b7049cf5a93781ae7946ff5b',
    'r-doc-html:usr/share/R/doc/manual/R-FAQ.html':
      '78f785368d69dffb136231f47f53ba9c165f37f4fb99daef6d5d9cbdc31acdc1',
    'tika-microsoft:test-documents/testWORD_null_style.docx':
      'c8bd6f119d65896b2ec8e34ce56cb532b7358173efb9d41af6abb389ac71176e',
    'r-doc-html:usr/share/R/doc/manual/R-ints.html':
      'd1d0258a36110248ebf040f6c58dd250f1185934874cd7a4ddbf4f2298f3b5db',
    'tika-microsoft:test-documents/testWORD_override_list_numbering.docx':
      '2d88b75145043fb8eef1d851e595b1d0f01d5a342552919fe3af22b36b57d086',
  }),
  ...entriesOf('pptx', {
    'exim4-doc-html:usr/share/doc/exim4-doc-html/spec_html/ch-main_configuration.html':
      '684ba6aec002336f8e270f5be9ed3ad3393141f6a3bda57dde70d9c9aa245689',
    'tika-microsoft:test-documents/testPPT_various2.pptx':
      '24f56e909a0597264ca77e340c291382530f08b17bf03ead33e8c17b389a7938',
    'valgrind:usr/share/doc/valgrind/html/manual-core.html':
      'c66d6de5436219059c0880459bfbc9505cfcc1f9abf422906b92174e0aa56f88',
    'tika-microsoft:test-documents/testPPT_groups.pptx':
      'e8d4cd55569be22849a584bff949d07e8c16abbd00b59feedc43f17c33b4061f',
    'valgrind:usr/share/doc/valgrind/html/dist.news.old.html':
      '51f138867b8d8e2c6d9efbb4b7353a6ddae44c8f1dc71858276aeb93543ee8f8',
    'tika-microsoft:test-documents/testMSChart-govdocs-428996.pptx':
      '4eef2f71094586d84e8b37a07d9d6b6b981d0532a2d1d5a217d3734abff77b91',
    'r-doc-html:usr/share/R/doc/manual/R-admin.html':
      '262342fed01da31bc8d84dd73c1dc8acfc9a8398383756e5c42e34ba6d71aeca',
    'tika-microsoft:test-documents/testPPT_various.pptx':
      '73e19e877797b9deb87f1d242c3d7aa6edb383258ca90054f9a912d3adb26a73',
    'bash-doc:usr/share/doc/bash/bashref.html':
      '572c0a2b543bc0cb57ae5bd32345c3c8f477672b1180ad01a5eece45abf414e0',
    'tika-microsoft:test-documents/testPPT_2imgs.pptx':
      'a5ec2ad60eebe2d7b82ec6747618302df7b4fc99cde73b5fd03bbec9e2b37ebc',
    'r-doc-html:usr/share/R/doc/manual/R-intro.html':
      '87742ee52d0a01b04aa5d9da5d2e2716ef8b278a681a366f3830192ec27985ed',
    'tika-microsoft:test-documents/testPPT_diagramData.pptx':
      '69a19e17398a1a5c8f3bd7c0d70a3afee9654a3e8e92aec61cc6054417c5c5ab',
  }),
];

/**
 * PDFs of 41 to 113 pages, 0.3 to 0.6 MB each: parsing takes a larger share of the time than with the documents above.
 */
export const manualEntries: readonly CorpusEntry[] = entriesOf('pdf', {
  'r-doc-pdf:usr/share/R/doc/manual/R-lang.pdf':
    '4a6120ba505021d7c208078b575fe3f5d5dc91636dcf17de8a4208adda90d7dc',
  'bash-doc:usr/share/doc/bash/bash.pdf': 'ebd1361fe662e7e6b7386da02986bda05a434f85667939f72356fa86de19dd6d',
  'texlive-humanities-doc:usr/share/doc/texlive-doc/generic/expex/expex-doc.pdf':
    'a5141a873972dc9b5bb855ebe3f49942b18ca58296e5e510471515a2daaab9cd',
  'r-doc-pdf:usr/share/R/doc/manual/R-data.pdf':
    '9381a39ffeb8545a745c2618ba955b4ae4e10b9c8373cd5bc1984fff8318f8ca',
  'r-doc-pdf:usr/share/R/doc/manual/R-FAQ.pdf':
    'de8768520d4fb90dad64c28483ffb92dca7dd9d8dc8556905b35c2e62a939255',
  'r-doc-pdf:usr/share/R/doc/manual/R-ints.pdf':
    'cdcca722b4de6682a9100550b4361dcd3dd41b5b274d97b9a6230572be63901f',
  'r-doc-pdf:usr/share/R/doc/manual/R-admin.pdf':
    '50e256b5f873bbee4c8482df3754fa8654f02ef693409fe5e30b2f114e3efe9f',
  'r-doc-pdf:usr/share/R/doc/manual/R-intro.pdf':
    '337ccd0b490b1e66f7e783b45f4588d0599730b4206c0c051edfe1419c568c51',
});
