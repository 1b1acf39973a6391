import { Group, Skeleton } from '@mantine/core';
import { lazy } from 'react';

/** Loaded lazily, because the chart library is larger than the rest of the page. */
export const DailyChart = lazy(() => import('./daily-chart.js'));

export const ChartShape = () => (
  <Group align="flex-end" gap={6} h={280} wrap="nowrap" aria-busy="true" aria-label="Loading">
    {[40, 65, 50, 80, 60, 90, 70, 55, 75, 45, 85, 60].map((height, index) => (
      <Skeleton key={index} height={`${height}%`} radius={3} />
    ))}
  </Group>
);
