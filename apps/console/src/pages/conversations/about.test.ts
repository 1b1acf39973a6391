import type { Conversation, Message, Metadata } from '../../api/prompt-records.js';
import { beginningOf, modelsOf, timeOf, titleOf } from './about.js';

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
});

describe('a conversation', () => {
  it('is called by its title, and has a name without one', () => {
    expect(titleOf(conversation([], { title: 'Greeting' }))).toBe('Greeting');
    expect(titleOf(conversation([]))).toBe('Untitled');
  });

  it('tells its description, or else how it begins', () => {
    expect(beginningOf(conversation([message('user', 'Hi')], { description: 'About Bo' }))).toBe('About Bo');
    expect(beginningOf(conversation([message('user', 'Hi')]))).toBe('Hi');
    expect(beginningOf(conversation([]))).toBe('');
    expect(beginningOf(conversation([message('user', 'x'.repeat(1_000))]))).toHaveLength(161);
  });

  it('names each model that answered once', () => {
    const messages = [
      message('user', 'a', 'big'),
      message('assistant', 'b', 'big'),
      message('assistant', 'c', 'small'),
    ];
    expect(modelsOf(conversation([...messages, message('assistant', 'd', 'big')]))).toBe('big, small');
  });

  it('has messages with times that are UTC', () => {
    expect(new Date(timeOf(message('user', 'a'))).toISOString()).toBe('2026-01-02T03:04:05.000Z');
  });
});
