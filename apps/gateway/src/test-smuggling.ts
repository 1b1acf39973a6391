/** Malformed requests for tests, in which some parsers see a second request, `GET /api/v1/smuggled`, and other parsers do not. */

const lines = (...some: string[]) => [...some, '', ''].join('\r\n');

const codings = [
  ...[
    'xchunked',
    'chunkedx',
    'chunked, identity',
    'identity, chunked',
    'gzip, chunked',
    'chunked, chunked',
    'identity',
  ],
  ...[
    '"chunked"',
    "'chunked'",
    'chunked;q=1',
    'chunked; a=b',
    'chunked,',
    ',chunked',
    '(a) chunked',
    'chunk ed',
    'chun\tked',
  ],
  ...[
    '\x0bchunked',
    'chunked\x0b',
    '\x0cchunked',
    'chun\x00ked',
    'chunked\x00',
    'chunked\x7f',
    '\xa0chunked',
    'chunked\xa0',
  ],
  ...[
    'deflate',
    'trailers',
    '',
    '1',
    'true',
    'chunked/1',
    'Chunked-',
    'cow',
    'chunked identity',
    '%63hunked',
    'c\\hunked',
  ],
];

const lengths = [
  ...[
    '+5',
    '-1',
    '-0',
    '0x10',
    '0b1',
    '0o7',
    '1.0',
    '1e1',
    '1 0',
    '1\t0',
    '',
    '0, 5',
    '0,0',
    '5,',
    ',5',
    '5;',
    '5; a=b',
  ],
  ...[
    '"5"',
    "'5'",
    'five',
    'NaN',
    'Infinity',
    '1_0',
    '5:6',
    '5/6',
    '~5',
    '(5)',
    '5\x0b',
    '\x0c5',
    '5\xa0',
    '\x855',
    '5\x00',
  ],
  ...['9'.repeat(40), '18446744073709551616', '18446744073709551621', '5 a', '%35'],
];

const nameEnds = [
  ' ',
  '\t',
  '  ',
  '\x0b',
  '\x0c',
  '\x00',
  '\x7f',
  '\xa0',
  '(',
  ')',
  '\\',
  '"',
  '/',
  ' x',
  '\r',
  '@',
  '[',
  '=',
];

const chunkSizes = [
  ...[
    'zz',
    '+1',
    '-1',
    '0x1',
    'x1',
    '1g',
    'g',
    '',
    '1.0',
    '1,1',
    '"1"',
    '(1)',
    '\x0b1',
    '1\x00',
    '1\x0b',
    '1\x0c',
    '%31',
  ],
  ...['f'.repeat(20), '10000000000000001', '1\n', '\n1', '1\r', '_1', '1_0'],
];

const lineEnds = ['\n', '\r', '\n\r', '\r\r\n', '\x00\r\n', '\x0b', '\x0c', '\x1c'];

/** Malformed requests by name, some with a body or with bytes that look like a body. @param host a served host */
export function smugglingCases(host: string): Map<string, string> {
  const hostLine = `Host: ${host}`;
  const post = 'POST /api/v1 HTTP/1.1';
  const smuggled = lines('GET /api/v1/smuggled HTTP/1.1', hostLine);
  const chunked = 'Transfer-Encoding: chunked';
  const cases = new Map<string, string>();
  const add = (name: string, bytes: string) => cases.set(name, bytes);

  for (const coding of codings) {
    add(
      `coding ${JSON.stringify(coding)}`,
      `${lines(post, hostLine, `Transfer-Encoding: ${coding}`)}0\r\n\r\n${smuggled}`,
    );
    add(
      `coding ${JSON.stringify(coding)} after a length`,
      `${lines(post, hostLine, 'Content-Length: 5', `Transfer-Encoding: ${coding}`)}0\r\n\r\n${smuggled}`,
    );
  }
  for (const length of lengths) {
    add(`length ${JSON.stringify(length)}`, lines(post, hostLine, `Content-Length: ${length}`) + smuggled);
    add(
      `length ${JSON.stringify(length)} behind a good one`,
      lines(post, hostLine, 'Content-Length: 0', `Content-Length: ${length}`) + smuggled,
    );
  }
  for (const end of nameEnds) {
    add(
      `name Content-Length${JSON.stringify(end)}`,
      lines(post, hostLine, `Content-Length${end}: ${smuggled.length}`) + smuggled,
    );
    add(
      `name Transfer-Encoding${JSON.stringify(end)}`,
      `${lines(post, hostLine, `Transfer-Encoding${end}: chunked`)}0\r\n\r\n${smuggled}`,
    );
  }
  for (const length of [0, 1, 4, 5, 6, smuggled.length]) {
    for (const [a, b] of [
      [`Content-Length: ${length}`, chunked],
      [chunked, `Content-Length: ${length}`],
      [`content-length:${length}`, 'TRANSFER-ENCODING:chunked'],
    ] as const)
      add(`${a} and ${b}`, `${lines(post, hostLine, a, b)}0\r\n\r\n${smuggled}`);
  }
  for (const size of chunkSizes)
    add(`chunk size ${JSON.stringify(size)}`, `${lines(post, hostLine, chunked)}${size}\r\na\r\n0\r\n\r\n${smuggled}`);
  for (const end of lineEnds) {
    const name = JSON.stringify(end);
    add(`request line ends in ${name}`, `${post}${end}${hostLine}\r\nContent-Length: 0\r\n\r\n${smuggled}`);
    add(`header ends in ${name}`, `${post}\r\n${hostLine}${end}X-A: b\r\nContent-Length: 0\r\n\r\n${smuggled}`);
    add(`chunk data ends in ${name}`, `${lines(post, hostLine, chunked)}1\r\na${end}0\r\n\r\n${smuggled}`);
  }
  for (const other of [host, 'evil.test', '', `${host}, evil.test`]) {
    add(
      `second Host ${JSON.stringify(other)}`,
      lines(post, hostLine, `Host: ${other}`, 'Content-Length: 0') + smuggled,
    );
    add(`first Host ${JSON.stringify(other)}`, lines(post, `Host: ${other}`, hostLine, 'Content-Length: 0') + smuggled);
  }
  for (const start of [
    'GET  /api/v1 HTTP/1.1',
    'GET /api/v1  HTTP/1.1',
    'GET\t/api/v1 HTTP/1.1',
    'GET /api/v1 HTTP/1.1 ',
    'GET /api/v1 http/1.1',
  ])
    add(`request line ${JSON.stringify(start)}`, lines(start, hostLine, 'Content-Length: x') + smuggled);
  return cases;
}
