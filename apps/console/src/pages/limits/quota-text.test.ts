import { levelOf, percentText, quotaWarnings } from './quota-text.js';

it.each([
  [0, 10, '0%'],
  [1, 1_000, '< 1%'],
  [80, 100, '80%'],
  [999, 1_000, '99%'],
  [10, 10, '100%'],
  [5, 0, '100%'],
])('a usage of %i of %i is shown as %s', (used, limit, text) => expect(percentText(used, limit)).toBe(text));

it('a quota counts as nearly used from 80 %, and as used up from 100 %', () => {
  expect([0, 0.79, 0.8, 0.99, 1, 2].map(levelOf)).toEqual([
    'ample',
    'ample',
    'nearly used',
    'nearly used',
    'used up',
    'used up',
  ]);
});

it('a quota that is nearly used causes a warning, and a quota that is used up causes a grave warning', () => {
  expect(
    quotaWarnings(
      [
        { project: 'Core', kind: 'files', share: 0.5 },
        { project: 'Core', kind: 'content', share: 0.85 },
        { project: 'Commerce', kind: 'contexts', share: 1 },
      ],
      (project) => project,
    ),
  ).toEqual([
    { title: 'The quota of Core for content is nearly used', isGrave: false },
    { title: 'The quota of Commerce for chats with agents is used up', isGrave: true },
  ]);
});
