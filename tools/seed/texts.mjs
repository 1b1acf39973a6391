// @ts-check

const SUBJECTS = [
  'the order', 'the invoice', 'this contract', 'the shipment', 'the refund', 'our customer', 'the quarterly report',
  'the returned parcel', 'the price list', 'the supplier', 'the warehouse', 'the new release', 'the meeting',
  'the delivery note', 'the complaint', 'the account', 'this budget', 'the payment', 'the forecast', 'the booking',
];
const VERBS = [
  'was checked', 'has changed', 'needs an answer', 'is due', 'was confirmed', 'was moved', 'is complete',
  'was cancelled', 'is on its way', 'was summarised', 'is waiting', 'was found', 'differs', 'was approved',
];
const PLACES = [
  'in Ghent', 'since Monday', 'for the second quarter', 'by the night shift', 'after the audit', 'with two remarks',
  'before the holidays', 'at the agreed price', 'in the other system', 'without a reason', 'for three customers',
  'with the usual terms', 'until further notice', 'by mistake', 'on the last day of the month',
];

/** Sentences of plain English, all different: `The order was checked in Ghent.` */
export const SENTENCES = SUBJECTS.flatMap((subject) =>
  VERBS.flatMap((verb) =>
    PLACES.map((place) => `${subject.charAt(0).toUpperCase()}${subject.slice(1)} ${verb} ${place}.`),
  ),
);

export const FIRST_NAMES = ['Ada', 'Bo', 'Carla', 'Dana', 'Emil', 'Fatima', 'Goran', 'Hana', 'Ivo', 'Jun', 'Kofi', 'Lea', 'Mira', 'Noor', 'Otto', 'Pia'];
export const LAST_NAMES = ['Abe', 'Berg', 'Costa', 'Diaz', 'Eder', 'Fuchs', 'Gray', 'Hahn', 'Ito', 'Jansen', 'Kim', 'Lund', 'Maes', 'Novak', 'Okoye', 'Park', 'Quist', 'Rossi', 'Silva'];
export const TOPICS = ['refunds', 'orders', 'invoices', 'travel', 'contracts', 'shipping', 'hiring', 'pricing', 'support', 'reports', 'security', 'suppliers'];
export const TASKS = ['Answer', 'Summarise', 'Check', 'Translate', 'Classify', 'Draft', 'Compare', 'Explain'];
export const MODELS = ['house-large', 'house-small', 'house-fast', 'house-vision', 'house-code', 'house-long', 'house-draft', 'house-safe', 'house-old', 'house-next'];
