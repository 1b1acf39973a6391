import { jsonShapeOf } from './shape.js';

describe('jsonShapeOf', () => {
  it.each([
    '{"name":"a","name":"b"}',
    '{"method":"ping","Method":"tools/call"}',
    '{"params":{"name":"hidden","name":"approved"}}',
    '{"params":{"NAME" : "hidden","name":"approved"}}',
    '{"params":{},"paramſ":{}}',
    '{"PicK":1,"pick":2}',
    String.raw`{"params":{"na\u006de":"hidden","name":"approved"}}`,
    '{"a":[1,{"b":"}"}],"params":{"x":"{","name":1,"Name":2}}',
    String.raw`{"a":"\\","A":1}`,
  ])('reports %s as ambiguous, because parsers may read it differently', (text) => {
    expect(jsonShapeOf(text, 2).isAmbiguous).toBe(true);
  });

  it.each([
    '{}',
    '7',
    '"',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"a":1,"A":2}}}',
    '{"a":{"x":1},"b":{"x":1}}',
    '[{"a":1},{"a":1}]',
    '{"a":"\\"x\\":","b":["name","name"]}',
  ])('reports %s as unambiguous, because all parsers read it equally', (text) => {
    expect(jsonShapeOf(text, 2).isAmbiguous).toBe(false);
  });

  it.each([
    ['1', 1],
    ['{"a":{},"b":[1,"x,[{",3]}', 7],
    ['[[],[]]', 5],
  ])('reports that %s has at most %d values', (text, values) => {
    expect(jsonShapeOf(text, 2).values).toBe(values);
  });
});
