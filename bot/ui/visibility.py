"""Who may look at what was played: members who can see the channel that it was played in. It knows no match."""

import discord


async def may_view(interaction: discord.Interaction, channel_id: int) -> bool:
    """Whether the presser can see a channel or thread of this server; False for one that is gone."""
    guild, member = interaction.guild, interaction.user
    if guild is None or not isinstance(member, discord.Member):
        return False
    if channel_id == interaction.channel_id:
        return True
    channel = guild.get_channel_or_thread(channel_id)
    if channel is None:  # Discord tells of no archived thread until it is asked
        try:
            channel = await guild.fetch_channel(channel_id)
        except (discord.NotFound, discord.Forbidden, discord.InvalidData):
            return False
    if isinstance(channel, discord.Thread) and channel.parent is None:
        return False
    permissions = channel.permissions_for(member)
    if not permissions.view_channel:
        return False
    is_closed = isinstance(channel, discord.Thread) and channel.is_private() and not permissions.manage_threads
    return not is_closed or await _sits_in(channel, member.id)


async def _sits_in(channel: object, user_id: int) -> bool:
    """Whether somebody was let into a private thread."""
    assert isinstance(channel, discord.Thread), "only threads have members of their own"
    try:
        await channel.fetch_member(user_id)
    except discord.NotFound:
        return False
    return True
