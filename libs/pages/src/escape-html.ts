/** Escapes a text for the content or an attribute value of an HTML element. */
export const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
