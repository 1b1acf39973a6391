import type { ReactNode } from 'react';
import mark from '../shell/mark.svg';

/** The frame around every page outside the console. */
export function Card({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className="card">
      <p className="brand">
        <img src={mark} alt="" width={24} height={24} /> Millwright
      </p>
      <h1>{title}</h1>
      {children}
    </main>
  );
}
