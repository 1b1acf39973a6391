import { lazy } from 'react';

/** Loaded lazily, because the chart library is larger than the rest of the page. */
export const DailyChart = lazy(() => import('./daily-chart.js'));
