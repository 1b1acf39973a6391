import { strToU8, zipSync } from 'fflate';

/** Makes a PDF with the given pages. Each page is a list of lines. */
export function pdfOf(
  pages: readonly (readonly string[])[],
  { trailer = '', stream }: { trailer?: string; stream?: Buffer } = {},
): Buffer {
  const escaped = (line: string) => line.replaceAll(/[\\()]/g, String.raw`\$&`);
  const objects: (string | Buffer)[] = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, n) => `${4 + 2 * n} 0 R`).join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  pages.forEach((lines, n) => {
    const shown = lines.map((line) => `(${escaped(line)}) Tj T*`).join('\n');
    const text = Buffer.from(`BT /F1 12 Tf 14 TL 50 800 Td\n${shown}\nET`);
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 850] /Contents ${5 + 2 * n} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
      stream
        ? Buffer.concat([
            Buffer.from(`<< /Length ${stream.length} /Filter /FlateDecode >>\nstream\n`),
            stream,
            Buffer.from('\nendstream'),
          ])
        : Buffer.concat([Buffer.from(`<< /Length ${text.length} >>\nstream\n`), text, Buffer.from('\nendstream')]),
    );
  });
  let file = Buffer.from('%PDF-1.4\n');
  const places = objects.map((object, n) => {
    const at = file.length;
    file = Buffer.concat([file, Buffer.from(`${n + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n')]);
    return at;
  });
  const table = places.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  const end = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${file.length}\n%%EOF\n`;
  return Buffer.concat([file, Buffer.from(end)]);
}

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';

/** Makes a DOCX document with the given body. The style `H1` has the name "heading 1", as in every language of Word. */
export function docxOf(body: string): Buffer {
  const styles = `<w:styles ${W}><w:style w:styleId="H1"><w:name w:val="heading 1"/></w:style></w:styles>`;
  return Buffer.from(
    zipSync({
      'word/document.xml': strToU8(`<w:document ${W}><w:body>${body}</w:body></w:document>`),
      'word/styles.xml': strToU8(styles),
    }),
  );
}
