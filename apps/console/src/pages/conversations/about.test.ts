import { titleOf, type Conversation, type Message, type Metadata } from '../../api/prompt-records.js';
import { beginningOf, isJson, modelsOf, timeOf } from './about.js';

const metadata = (changes: Partial<Metadata> = {}): Metadata => ({
  title: '',
  description: '',
  tag: [],
  log_message: '',
  created: '2026-01-02 03:04:05',
  updated: '2026-01-02 03:04:05',
  version: 1,
  status: 'published',
  author: 'Ada',
  ...changes,
});
const message = (role: Message['role'], content: string, model = ''): Message => ({
  id: content,
  role,
  content,
  reference: [],
  model,
  metadata: metadata(),
});
const conversation = (messages: Message[], changes: Partial<Metadata> = {}): Conversation => ({
  id: '1',
  message: messages,
  metadata: metadata(changes),
  _link: '/v1/conversation/1',
});

describe('the summary of a conversation', () => {
  it('shows the title, or "Untitled"', () => {
    expect(titleOf(conversation([], { title: 'Greeting' }))).toBe('Greeting');
    expect(titleOf(conversation([]))).toBe('Untitled');
  });

  it('shows the description, or the beginning of the first message', () => {
    expect(beginningOf(conversation([message('user', 'Hi')], { description: 'About Bo' }))).toBe('About Bo');
    expect(beginningOf(conversation([message('user', 'Hi')]))).toBe('Hi');
    expect(beginningOf(conversation([]))).toBe('');
    expect(beginningOf(conversation([message('user', 'x'.repeat(1_000))]))).toHaveLength(161);
  });

  it('lists the names of the models that answered, each once', () => {
    const messages = [
      message('user', 'a', 'big'),
      message('assistant', 'b', 'big'),
      message('assistant', 'c', 'small'),
    ];
    expect(modelsOf(conversation([...messages, message('assistant', 'd', 'big')]))).toBe('big, small');
  });

  it('reads the time of a message as a time in UTC', () => {
    expect(new Date(timeOf(message('user', 'a'))).toISOString()).toBe('2026-01-02T03:04:05.000Z');
  });
});

describe('isJson', () => {
  it.each([
    ['{"city":"Bonn"}', true],
    [' [1, 2]', true],
    ['{not json}', false],
    ['"text"', false],
    ['A list: [1]', false],
  ])('for the text %s returns %p', (content, expected) => expect(isJson(content)).toBe(expected));
});
