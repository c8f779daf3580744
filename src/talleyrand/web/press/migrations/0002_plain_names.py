from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0002_plain_names"),
        ("press", "0001_schema"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="Letter",
            name="one_letter_a_key",
        ),
        migrations.RemoveConstraint(
            model_name="Reading",
            name="one_reading_a_room",
        ),
        migrations.RemoveConstraint(
            model_name="Room",
            name="one_room_a_group",
        ),
        migrations.RenameModel(
            old_name="Letter",
            new_name="Message",
        ),
        migrations.RenameModel(
            old_name="Reading",
            new_name="ReadMark",
        ),
        migrations.RenameModel(
            old_name="Room",
            new_name="Conversation",
        ),
        migrations.RenameField(
            model_name="Message",
            old_name="room",
            new_name="conversation",
        ),
        migrations.RenameField(
            model_name="Message",
            old_name="number",
            new_name="phase_number",
        ),
        migrations.RenameField(
            model_name="Message",
            old_name="signed",
            new_name="signature",
        ),
        migrations.RenameField(
            model_name="Message",
            old_name="writer",
            new_name="author_power",
        ),
        migrations.RenameField(
            model_name="Message",
            old_name="person",
            new_name="author",
        ),
        migrations.RenameField(
            model_name="Message",
            old_name="doubts",
            new_name="hold_reasons",
        ),
        migrations.RenameField(
            model_name="Message",
            old_name="about",
            new_name="proposal_key",
        ),
        migrations.RenameField(
            model_name="Message",
            old_name="written",
            new_name="written_at",
        ),
        migrations.RenameField(
            model_name="Message",
            old_name="delivered",
            new_name="delivered_at",
        ),
        migrations.RenameField(
            model_name="Message",
            old_name="reason",
            new_name="return_reason",
        ),
        migrations.RenameField(
            model_name="ReadMark",
            old_name="room",
            new_name="conversation",
        ),
        migrations.RenameField(
            model_name="ReadMark",
            old_name="until",
            new_name="read_until",
        ),
        migrations.RenameField(
            model_name="Conversation",
            old_name="members",
            new_name="participants_key",
        ),
        migrations.RenameField(
            model_name="Conversation",
            old_name="opened",
            new_name="created_at",
        ),
        migrations.AlterModelOptions(
            name="message",
            options={"ordering": ["delivered_at", "id"]},
        ),
        migrations.AddConstraint(
            model_name="conversation",
            constraint=models.UniqueConstraint(fields=("game", "participants_key"), name="one_room_a_group"),
        ),
        migrations.AddConstraint(
            model_name="message",
            constraint=models.UniqueConstraint(fields=("conversation", "key"), name="one_letter_a_key"),
        ),
        migrations.AddConstraint(
            model_name="readmark",
            constraint=models.UniqueConstraint(fields=("conversation", "person"), name="one_reading_a_room"),
        ),
    ]
