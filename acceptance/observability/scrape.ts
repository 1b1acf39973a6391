import type { Platform } from '../harness/platform.js';

export interface Series {
  name: string;
  labels: Record<string, string>;
  value: number;
}

/** Reads the metrics of every process of an installation. */
export async function scrape({ services }: Pick<Platform, 'services'>): Promise<Series[]> {
  const texts = services.map(async ({ adminUrl }) => (await fetch(`${adminUrl}/metrics`)).text());
  return (await Promise.all(texts)).flatMap(parseSeries);
}

/** Parses Prometheus's text format: `name{label="value"} 1`. */
function parseSeries(text: string): Series[] {
  return [...text.matchAll(/^([a-z_:][\w:]*)(?:\{(.*)\})? (\S+)$/gim)].map(([, name = '', labels = '', value]) => ({
    name,
    labels: Object.fromEntries(
      [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key = '', is = '']) => [key, is]),
    ),
    value: Number(value),
  }));
}
