import { isAmbiguous } from './ambiguous.js';

it.each([
  '{"name":"a","name":"b"}',
  '{"method":"ping","Method":"tools/call"}',
  '{"params":{"name":"hidden","name":"approved"}}',
  '{"params":{"NAME" : "hidden","name":"approved"}}',
  String.raw`{"params":{"na\u006de":"hidden","name":"approved"}}`,
  '{"a":[1,{"b":"}"}],"params":{"x":"{","name":1,"Name":2}}',
])('%s says one thing to one parser and another to the next', (text) => {
  expect(isAmbiguous(text)).toBe(true);
});

it.each([
  '{}',
  '7',
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"a":1,"A":2}}}',
  '{"a":{"x":1},"b":{"x":1}}',
  '{"a":"\\"x\\":","b":["name","name"]}',
])('%s says the same to every parser', (text) => {
  expect(isAmbiguous(text)).toBe(false);
});
