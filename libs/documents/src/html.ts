import { Parser } from 'htmlparser2';
import { createBlocks, requireDepth, type Block } from './block.js';

/** Elements whose text readers do not see. */
const HIDDEN = new Set('script style noscript template svg head iframe object select canvas'.split(' '));
/** Elements that do not end a paragraph. All other elements do. */
const INLINE = new Set(
  (
    'a abbr b bdi bdo br cite code data del dfn em font i img input ins kbd label mark q s samp small span strong sub sup td th ' +
    'time u var wbr'
  ).split(' '),
);
const LEVEL = /^h([1-6])$/;

/** Returns the blocks of an HTML document. @throws NotExtracted too_large for too much text, too_complex for elements that are nested too deeply */
export function blocksOfHtml(html: string): Block[] {
  const { blocks, add } = createBlocks();
  let text = '';
  let level = 0;
  let hidden = 0;
  let preformatted = 0;
  let depth = 0;
  const end = () => {
    add({ level, text: preformatted > 0 ? text : text.replaceAll(/[^\S\n]+/g, ' ').replaceAll(/ ?\n ?/g, '\n') });
    text = '';
  };
  const parser = new Parser({
    onopentag(name) {
      depth += 1;
      requireDepth(depth);
      if (HIDDEN.has(name)) hidden += 1;
      if (!INLINE.has(name)) end();
      if (name === 'pre') preformatted += 1;
      if (name === 'br') text += '\n';
      if (name === 'li') text += '- ';
      const heading = LEVEL.exec(name);
      if (heading) level = Number(heading[1]);
    },
    ontext(data) {
      if (hidden === 0) text += preformatted > 0 ? data : data.replaceAll(/\s+/g, ' ');
    },
    onclosetag(name) {
      depth -= 1;
      if (HIDDEN.has(name)) hidden -= 1;
      if (name === 'td' || name === 'th') text += ' | ';
      if (!INLINE.has(name)) end();
      if (name === 'pre') preformatted -= 1;
      if (LEVEL.test(name)) level = 0;
    },
  });
  parser.end(html);
  end();
  return blocks;
}
