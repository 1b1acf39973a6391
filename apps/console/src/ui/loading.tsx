import { Group, Skeleton, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Panel } from './section.js';
import classes from './loading.module.css';

/** Marks a placeholder as loading, for assistive technology and for tests. */
function Busy({ children, className }: { children: ReactNode; className?: string | undefined }) {
  return (
    <div aria-busy="true" aria-label="Loading" className={className}>
      {children}
    </div>
  );
}

/** Placeholder of a text: lines, of which the last is shorter. */
export function TextShape({ lines = 3 }: { lines?: number }) {
  return (
    <Busy>
      <Stack gap={9} py={4}>
        {Array.from({ length: lines }, (_, line) => (
          <Skeleton key={line} height={11} width={line === lines - 1 ? '55%' : `${96 - ((line * 7) % 12)}%`} />
        ))}
      </Stack>
    </Busy>
  );
}

/** Placeholder of labels with values. */
export function FactsShape({ facts = 4 }: { facts?: number }) {
  return (
    <Busy>
      <Stack gap={14} py={4}>
        {Array.from({ length: facts }, (_, fact) => (
          <Group key={fact} gap={16} wrap="nowrap">
            <Skeleton height={11} width={110} />
            <Skeleton height={11} width={`${40 - ((fact * 11) % 22)}%`} />
          </Group>
        ))}
      </Stack>
    </Busy>
  );
}

/** Placeholder of sections with a heading and lines, as on the page of a record without a form. */
export function SectionsShape({ sections = 2 }: { sections?: number }) {
  return Array.from({ length: sections }, (_, section) => (
    <Panel key={section} label="Loading">
      <Busy className={classes.section}>
        <Skeleton height={14} width={140} mb={16} />
        <FactsShape facts={section === 0 ? 5 : 3} />
      </Busy>
    </Panel>
  ));
}

/** Placeholder of tiles with figures. */
export function TilesShape({ tiles = 4 }: { tiles?: number }) {
  return (
    <Busy className={classes.tiles}>
      {Array.from({ length: tiles }, (_, tile) => (
        <div key={tile} className={classes.tile}>
          <Skeleton height={11} width="55%" mb={10} />
          <Skeleton height={22} width={64} />
        </div>
      ))}
    </Busy>
  );
}

/** Placeholder of choices with explanations, as in a form of settings. */
export function ChoicesShape({ choices = 3 }: { choices?: number }) {
  return (
    <Panel label="Loading">
      <Busy className={classes.section}>
        <Skeleton height={14} width={160} mb={18} />
        <Stack gap={16}>
          {Array.from({ length: choices }, (_, choice) => (
            <Group key={choice} gap={12} wrap="nowrap" align="flex-start">
              <Skeleton height={18} circle />
              <div className={classes.grow}>
                <Skeleton height={12} width={120} mb={8} />
                <Skeleton height={9} width={`${70 - choice * 9}%`} />
              </div>
            </Group>
          ))}
        </Stack>
      </Busy>
    </Panel>
  );
}

/** Placeholder of a conversation: a message of the user and an answer. */
export function MessagesShape() {
  return (
    <Busy className={classes.messages}>
      <div className={classes.message} data-own>
        <Skeleton height={11} width="80%" />
      </div>
      <div className={classes.message}>
        <Skeleton height={11} width="94%" mb={9} />
        <Skeleton height={11} width="88%" mb={9} />
        <Skeleton height={11} width="52%" />
      </div>
    </Busy>
  );
}

/** Placeholder of a bar chart. */
export function ChartShape() {
  return (
    <Group align="flex-end" gap={6} h={280} wrap="nowrap" aria-busy="true" aria-label="Loading">
      {[40, 65, 50, 80, 60, 90, 70, 55, 75, 45, 85, 60].map((height, index) => (
        <Skeleton key={index} height={`${height}%`} radius={3} />
      ))}
    </Group>
  );
}
