import { snippetOf, stretchesOf } from './marked.js';

const marked = (text: string, query: string) =>
  stretchesOf(text, query)
    .map(({ text: part, isMatch }) => (isMatch ? `[${part}]` : part))
    .join('');

describe('the marks of matched words', () => {
  it('cover each inflected form of a searched word and nothing else', () => {
    expect(marked('The mill grinds. Mills, milling; a milestone.', 'mill')).toBe(
      'The [mill] grinds. [Mills], [milling]; a milestone.',
    );
    expect(marked('Opening hours: opens at ten.', 'opened hour')).toBe('[Opening] [hours]: [opens] at ten.');
    expect(marked('An ox, an axis.', 'ox')).toBe('An [ox], an axis.');
  });

  it('leave every character of the text unchanged', () => {
    const text = 'Größe\n„Öl“ <b>mill</b> 50 %';
    for (const query of ['', 'größe', '50', '()[*', 'b mill'])
      expect(
        stretchesOf(text, query)
          .map((part) => part.text)
          .join(''),
      ).toBe(text);
    expect(marked(text, 'GRÖSSE größe')).toContain('[Größe]');
  });
});

describe('a snippet', () => {
  const body = 'The mill is open from May to October, on Sundays from ten to four.';

  it('has an ellipsis at each end where the text is cut off', () => {
    expect(snippetOf('mill is open from May', body)).toBe('… mill is open from May …');
    expect(snippetOf('The mill is open', body)).toBe('The mill is open …');
    expect(snippetOf('on Sundays from ten to four', body)).toBe('… on Sundays from ten to four');
    expect(snippetOf(body, body)).toBe(body);
    expect(snippetOf('The mill … ten to four', body)).toBe('The mill … ten to four');
  });
});
