import { Component, type ReactNode } from 'react';

/** A boundary that shows the code and the message of what it caught. */
export class Caught extends Component<{ children: ReactNode }, { readonly text?: string }> {
  static getDerivedStateFromError({ code, message }: Error & { readonly code?: string }): object {
    return { text: `${code} ${message}` };
  }

  override state: { readonly text?: string } = {};

  override render(): ReactNode {
    const { text } = this.state;
    return text === undefined ? this.props.children : <p role="alert">{text}</p>;
  }
}
